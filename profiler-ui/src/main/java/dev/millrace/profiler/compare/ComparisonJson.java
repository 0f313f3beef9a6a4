package dev.millrace.profiler.compare;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.millrace.profiler.analysis.Label;
import java.io.IOException;
import java.util.List;
import java.util.Locale;

/** A comparison in JSON. Times are nanoseconds, and their fields end in {@code Ns}. */
public final class ComparisonJson {
  private final JsonGenerator json;

  private ComparisonJson(JsonGenerator json) {
    this.json = json;
  }

  /**
   * Writes the fields {@code rounds}, {@code resamplingSeed} and {@code arms} of an open object.
   */
  public static void writeArms(JsonGenerator json, Comparison comparison) throws IOException {
    json.writeNumberField("rounds", comparison.rounds());
    json.writeNumberField("resamplingSeed", comparison.seed());
    json.writeArrayFieldStart("arms");
    for (ArmSummary arm : comparison.arms()) {
      new ComparisonJson(json).write(arm);
    }
    json.writeEndArray();
  }

  /** Writes the field {@code differences} of an open object. */
  public static void writeDifferences(JsonGenerator json, List<Difference> differences)
      throws IOException {
    json.writeArrayFieldStart("differences");
    for (Difference difference : differences) {
      new ComparisonJson(json).write(difference);
    }
    json.writeEndArray();
  }

  private void write(ArmSummary arm) throws IOException {
    json.writeStartObject();
    json.writeStringField("name", arm.name());
    json.writeNumberField("turns", arm.turns());
    json.writeNumberField("turnsPerSecond", arm.turnsPerSecond());
    write("medianResponseNs", arm.responseNs());
    json.writeNumberField("meanResponseNs", arm.meanResponseNs());
    json.writeObjectFieldStart("meanPartsNs");
    for (Label label : Label.values()) {
      json.writeNumberField(fieldName(label), arm.meanNs(label));
    }
    json.writeEndObject();
    json.writeNumberField("meanStallNs", arm.meanStallNs());
    json.writeEndObject();
  }

  private void write(Difference difference) throws IOException {
    json.writeStartObject();
    json.writeStringField("from", difference.from().name());
    json.writeStringField("to", difference.to().name());
    write("medianResponseNs", difference.responseNs());
    json.writeNumberField("workShare", difference.workShare());
    json.writeEndObject();
  }

  private void write(String field, Estimate estimate) throws IOException {
    json.writeObjectFieldStart(field);
    json.writeNumberField("value", estimate.value());
    json.writeNumberField("low", estimate.low());
    json.writeNumberField("high", estimate.high());
    json.writeStringField("bounds", estimate.isInterval() ? "interval95" : "rangeOfRounds");
    json.writeEndObject();
  }

  private static String fieldName(Label label) {
    return label.name().toLowerCase(Locale.ROOT);
  }
}
