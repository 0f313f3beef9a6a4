package dev.millrace.gpu.testing;

import static org.junit.platform.commons.support.AnnotationSupport.findAnnotation;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.ExtensionContext;

/** Tests of which no real GPU is capable: they are left out over hip-on-cuda. */
@Target({ElementType.TYPE, ElementType.METHOD})
@Retention(RetentionPolicy.RUNTIME)
@ExtendWith(OnlyHipOnCpu.Condition.class)
public @interface OnlyHipOnCpu {

  /** What of hip-on-cpu they need. */
  String value();

  /** Says why they are left out. */
  final class Condition implements ExecutionCondition {
    @Override
    public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
      if (!HipOnCpu.isThere() || HipOnCpu.isOnCpu()) {
        return ConditionEvaluationResult.enabled("not over a real GPU");
      }
      return ConditionEvaluationResult.disabled(
          "only hip-on-cpu has "
              + findAnnotation(context.getElement(), OnlyHipOnCpu.class)
                  .map(OnlyHipOnCpu::value)
                  .orElse("that"));
    }
  }
}
