package dev.millrace.gpu.kernel;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What the compiler made of a source.
 *
 * @param code the code object's bytes
 * @param names the kernels that the source named, with their names in the code object
 */
@SuppressWarnings("ArrayRecordComponent") // never compared, and nobody else holds the array
record CompiledSource(byte[] code, Map<String, String> names) {

  byte[] toBytes() throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(code.length + 64);
    DataOutputStream out = new DataOutputStream(bytes);
    out.writeInt(names.size());
    for (var name : names.entrySet()) {
      out.writeUTF(name.getKey());
      out.writeUTF(name.getValue());
    }
    out.writeInt(code.length);
    out.write(code);
    return bytes.toByteArray();
  }

  static CompiledSource of(byte[] bytes) throws IOException {
    DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes));
    Map<String, String> names = new LinkedHashMap<>();
    for (int left = in.readInt(); left > 0; left--) {
      names.put(in.readUTF(), in.readUTF());
    }
    int length = in.readInt();
    if (length != in.available()) {
      throw new IOException("code of bytes=" + length + ", and bytes left=" + in.available());
    }
    return new CompiledSource(in.readAllBytes(), names);
  }
}
