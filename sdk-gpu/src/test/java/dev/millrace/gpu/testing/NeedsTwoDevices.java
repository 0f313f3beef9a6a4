package dev.millrace.gpu.testing;

import dev.millrace.gpu.ffi.HipDevices;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.ExtensionContext;

/** Tests that need a second GPU, and are left out on a machine with one. */
@Target({ElementType.TYPE, ElementType.METHOD})
@Retention(RetentionPolicy.RUNTIME)
@ExtendWith(NeedsTwoDevices.Condition.class)
public @interface NeedsTwoDevices {

  /** Says why they are left out. */
  final class Condition implements ExecutionCondition {
    @Override
    public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
      if (!HipOnCpu.isThere() || HipDevices.count() > 1) {
        return ConditionEvaluationResult.enabled("more than one device");
      }
      return ConditionEvaluationResult.disabled("there is one device, and it takes two");
    }
  }
}
