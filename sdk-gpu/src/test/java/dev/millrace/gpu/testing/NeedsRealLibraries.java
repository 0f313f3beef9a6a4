package dev.millrace.gpu.testing;

import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.ExtensionContext;

/** Tests that run where AMD's own libraries are installed, on a machine without an AMD GPU. */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Inherited
@Tag("real-libraries")
@ExtendWith(NeedsRealLibraries.Condition.class)
public @interface NeedsRealLibraries {

  /** Says why they are skipped. */
  final class Condition implements ExecutionCondition {
    @Override
    public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
      return RealLibraries.areThere()
          ? ConditionEvaluationResult.enabled("AMD's libraries are there")
          : ConditionEvaluationResult.disabled(
              "AMD's libraries are not here; -Preal-libraries runs this where they are"
                  + " (docs/real-libraries.md)");
    }
  }
}
