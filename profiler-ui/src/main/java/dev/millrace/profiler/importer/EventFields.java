package dev.millrace.profiler.importer;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The fields of one row, flat: a field {@code a} of an inner object {@code args} is called {@code
 * args.a}. One instance is filled again for each row. Arrays are skipped.
 */
final class EventFields {
  private static final String SEPARATOR = ".";

  private @Nullable String[] names = new String[32];
  private @Nullable String[] texts = new String[32];
  private JsonToken[] tokens = new JsonToken[32];
  private long[] numbers = new long[32];
  private int size;

  /** Reads the object whose start is the parser's current token. */
  void read(JsonParser parser) throws IOException {
    size = 0;
    readObject(parser, "");
  }

  private void readObject(JsonParser parser, String prefix) throws IOException {
    while (parser.nextToken() == JsonToken.FIELD_NAME) {
      String name = prefix.isEmpty() ? parser.currentName() : prefix + parser.currentName();
      JsonToken token = parser.nextToken();
      switch (token) {
        case null -> {} // Cut; the loop's own call says so.
        case START_OBJECT -> readObject(parser, name + SEPARATOR);
        case START_ARRAY -> parser.skipChildren();
        default -> add(name, token, parser);
      }
    }
  }

  private void add(String name, JsonToken token, JsonParser parser) throws IOException {
    if (size == names.length) {
      grow();
    }
    names[size] = name;
    tokens[size] = token;
    texts[size] = token == JsonToken.VALUE_STRING ? parser.getText() : null;
    if (token == JsonToken.VALUE_NUMBER_INT) {
      addNumber(parser);
    }
    size++;
  }

  private void addNumber(JsonParser parser) throws IOException {
    if (parser.getNumberType() == JsonParser.NumberType.BIG_INTEGER) {
      tokens[size] = JsonToken.VALUE_NUMBER_FLOAT; // No integer that a field of ours can hold.
    } else {
      numbers[size] = parser.getLongValue();
    }
  }

  private void grow() {
    int length = 2 * size;
    names = Arrays.copyOf(names, length);
    texts = Arrays.copyOf(texts, length);
    tokens = Arrays.copyOf(tokens, length);
    numbers = Arrays.copyOf(numbers, length);
  }

  long number(String name) {
    return numbers[find(name, JsonToken.VALUE_NUMBER_INT)];
  }

  int count(String name) {
    long value = number(name);
    if (value != (int) value) {
      throw new MalformedRowException(name + "=" + value + " does not fit into 32 bits");
    }
    return (int) value;
  }

  String text(String name) {
    String text = texts[find(name, JsonToken.VALUE_STRING)];
    if (text == null) {
      throw new IllegalStateException("a string token without text: " + name);
    }
    return text;
  }

  /** The text, or {@code fallback} where the field is absent or null. */
  String text(String name, String fallback) {
    int at = indexOf(name);
    String text = at < 0 ? null : texts[at];
    return text == null ? fallback : text;
  }

  boolean flag(String name) {
    int at = indexOf(name);
    if (at < 0 || !tokens[at].isBoolean()) {
      throw new MalformedRowException(name + " is no boolean");
    }
    return tokens[at] == JsonToken.VALUE_TRUE;
  }

  <E extends Enum<E>> E word(String name, Class<E> words) {
    String word = text(name);
    try {
      return Enum.valueOf(words, word);
    } catch (IllegalArgumentException e) {
      throw new MalformedRowException(name + "=" + word + " is none of its words");
    }
  }

  /** The sum of all numbers whose names begin so. */
  long sum(String prefix) {
    long sum = 0;
    for (int i = 0; i < size; i++) {
      String name = names[i];
      if (name != null && name.startsWith(prefix) && tokens[i] == JsonToken.VALUE_NUMBER_INT) {
        sum += numbers[i];
      }
    }
    return sum;
  }

  private int find(String name, JsonToken wanted) {
    int at = indexOf(name);
    if (at < 0 || tokens[at] != wanted) {
      throw new MalformedRowException(
          name + (at < 0 ? " is missing" : " is of the wrong type: " + tokens[at]));
    }
    return at;
  }

  private int indexOf(String name) {
    for (int i = 0; i < size; i++) {
      if (name.equals(names[i])) {
        return i;
      }
    }
    return -1;
  }
}
