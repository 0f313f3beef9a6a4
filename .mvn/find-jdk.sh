# Sourced by mvnx and millrace. Sets JAVA_HOME to a JDK 25 (or, failing that, the oldest newer one), or prints one sentence and exits with 2.
feature() { sed -n 's/^JAVA_VERSION="\([0-9]*\).*/\1/p' "$1/release" 2>/dev/null; }
best= bestv=
for d in "$MILLRACE_JDK" "$JAVA_HOME" /usr/lib/jvm/* /opt/java/* /opt/jdk* "$HOME"/.jdks/* "$HOME"/.sdkman/candidates/java/* \
         /Library/Java/JavaVirtualMachines/*/Contents/Home; do
  [ -n "$d" ] && [ -x "$d/bin/javac" ] || continue
  v=$(feature "$d"); [ -n "$v" ] && [ "$v" -ge 25 ] || continue
  if [ -z "$bestv" ] || [ "$v" -lt "$bestv" ]; then best=$d bestv=$v; fi
done
if [ -z "$best" ]; then
  echo "millrace needs a JDK 25: none under /usr/lib/jvm, /opt, ~/.jdks or ~/.sdkman. Install one (for example the package temurin-25-jdk), or set MILLRACE_JDK=/path/to/jdk-25." >&2
  exit 2
fi
JAVA_HOME=$best; export JAVA_HOME

need_mvn() {
  command -v mvn >/dev/null || { echo "millrace builds with Maven 3.8.7 or newer, and there is no mvn here: apt-get install maven" >&2; exit 2; }
}
