package dev.millrace.profiler.launch;

import com.fasterxml.jackson.core.JsonEncoding;
import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import dev.millrace.profiler.compare.Comparison;
import dev.millrace.profiler.compare.ComparisonJson;
import dev.millrace.profiler.compare.ComparisonTable;
import dev.millrace.profiler.compare.Difference;
import dev.millrace.profiler.compare.Verdict;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Writes a comparison for people, and as {@code summary.json}. */
final class CompareReport {
  private static final int FORK_JOIN = 0;
  private static final int ONE_LANE = 1;
  private static final int LANES = 2;

  private final CompareResult result;
  private final Path folder;
  private final Comparison comparison;
  private final List<Difference> differences = new ArrayList<>();

  CompareReport(CompareResult result, Path folder) {
    this.result = result;
    this.folder = folder;
    comparison = result.comparison();
    differences.add(comparison.difference(FORK_JOIN, ONE_LANE));
    if (comparison.arms().size() > LANES) {
      differences.add(comparison.difference(ONE_LANE, LANES));
    }
  }

  void write(PrintWriter out) throws IOException {
    writeSummary();
    writeSetting(out);
    out.println();
    out.print(ComparisonTable.of(comparison));
    out.println();
    sentences().forEach(out::println);
    out.println();
    out.println("traces and summary.json: " + folder);
    out.flush();
  }

  private void writeSetting(PrintWriter out) {
    CompareSettings settings = result.settings();
    out.printf("model     %s %s%n", result.model().name(), result.shapes());
    out.printf(
        "measured  %d clients, %d rounds of %d turns of each client, arms in turn; seed %d%n",
        settings.clients(), settings.rounds(), settings.iterations(), settings.seed());
    out.printf(
        "engine    ONNX Runtime, %d thread a run and no spinning, the same in every arm%n",
        ArmRunner.THREADS_PER_RUN);
  }

  private List<String> sentences() {
    List<String> sentences = new ArrayList<>();
    differences.stream()
        .filter(Verdict::isOtherWork)
        .map(Verdict::otherWork)
        .forEach(sentences::add);
    if (!comparison.hasIntervals()) {
      sentences.add(Verdict.tooFewRounds(comparison));
    }
    sentences.add(Verdict.gain("What the stream gains", differences.getFirst()));
    if (differences.size() > 1) {
      sentences.add(Verdict.gain("What the lanes gain", differences.getLast()));
    }
    addDoubts(sentences);
    return sentences;
  }

  private void addDoubts(List<String> sentences) {
    if (result.loadBefore().isBusy()) {
      sentences.add(result.loadBefore().warning());
    }
    long contradictions = result.facts().stream().mapToLong(it -> it.contradictions()).sum();
    long overlaps = result.facts().stream().mapToLong(it -> it.overlaps()).sum();
    if (contradictions + overlaps > 0) {
      sentences.add(
          "The traces contradict themselves in places: %d waits for events that were ready too late, %d operations that overlap on one stream."
              .formatted(contradictions, overlaps));
    }
  }

  private void writeSummary() throws IOException {
    JsonFactory factory = new JsonFactory();
    try (JsonGenerator json =
        factory.createGenerator(folder.resolve("summary.json").toFile(), JsonEncoding.UTF8)) {
      json.setPrettyPrinter(new DefaultPrettyPrinter());
      json.writeStartObject();
      writeTexts(json, "environment", Environment.facts());
      writeModel(json);
      writeSettings(json);
      ComparisonJson.writeArms(json, comparison);
      ComparisonJson.writeDifferences(json, differences);
      json.writeArrayFieldStart("sentences");
      for (String sentence : sentences()) {
        json.writeString(sentence);
      }
      json.writeEndArray();
      writeTraces(json);
      json.writeEndObject();
    }
  }

  private void writeModel(JsonGenerator json) throws IOException {
    json.writeObjectFieldStart("model");
    json.writeStringField("name", result.model().name());
    json.writeStringField("sha256", result.model().sha256());
    json.writeObjectFieldStart("inputShapes");
    for (var input : result.shapes().entrySet()) {
      json.writeFieldName(input.getKey());
      json.writeArray(input.getValue().toArray(), 0, input.getValue().rank());
    }
    json.writeEndObject();
    json.writeEndObject();
  }

  private void writeSettings(JsonGenerator json) throws IOException {
    CompareSettings settings = result.settings();
    json.writeObjectFieldStart("settings");
    json.writeNumberField("clients", settings.clients());
    json.writeNumberField("iterations", settings.iterations());
    json.writeNumberField("seed", settings.seed());
    json.writeNumberField("threadsPerRun", ArmRunner.THREADS_PER_RUN);
    json.writeBooleanField("spinning", false);
    json.writeNumberField("loadAverageBefore", result.loadBefore().average());
    json.writeEndObject();
  }

  private void writeTraces(JsonGenerator json) throws IOException {
    json.writeObjectFieldStart("traces");
    for (ArmPlan arm : result.arms()) {
      json.writeStringField(arm.name(), arm.folder() + "/round-*.trace.json");
    }
    json.writeEndObject();
  }

  private static void writeTexts(JsonGenerator json, String field, Map<String, String> texts)
      throws IOException {
    json.writeObjectFieldStart(field);
    for (var text : texts.entrySet()) {
      json.writeStringField(text.getKey(), text.getValue());
    }
    json.writeEndObject();
  }
}
