package dev.millrace.gpu.testing;

import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.ExtensionContext;

/** Tests that run over hip-on-cpu, and are skipped where it could not be built. */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Inherited
@ExtendWith(NeedsHipOnCpu.Condition.class)
public @interface NeedsHipOnCpu {

  /** Says why they are skipped. */
  final class Condition implements ExecutionCondition {
    @Override
    public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
      return HipOnCpu.isThere()
          ? ConditionEvaluationResult.enabled("hip-on-cpu is there")
          : ConditionEvaluationResult.disabled(
              "there is no hip-on-cpu in millrace.rocm="
                  + HipOnCpu.FOLDER
                  + ": building it needs cmake and a C++ compiler");
    }
  }
}
