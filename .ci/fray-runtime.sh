#!/bin/sh
# Makes the Java runtime that Fray's tests run on: java.base with Fray's hooks in its locks, queues and threads.
# fray-runtime.sh JAVA_HOME FOLDER VERSION: reads FOLDER/jars, writes FOLDER/jdk and FOLDER/libjvmti.so.
set -eu
java_home=$1 folder=$2 version=$3
mark="$folder/jdk/made-from"
made_from="fray $version on $("$java_home/bin/java" -version 2>&1 | sed -n 3p)"
[ "$(cat "$mark" 2>/dev/null)" = "$made_from" ] && exit 0

jar=$folder/jars/fray-instrumentation-jdk-$version.jar
jars=$(printf '%s:' "$folder"/jars/*.jar)
rm -rf "$folder/jdk"
# Only what tests need: Fray's own build links every module, which a JDK without jmods cannot.
"$java_home/bin/jlink" "-J-javaagent:$jar" "-J--module-path=$jars" "-J--class-path=$jars" \
  -J--add-modules=org.pastalab.fray.instrumentation.jdk --fray-instrumentation \
  --add-modules=java.instrument,java.logging,java.management,java.rmi,java.xml,jdk.jfr,jdk.management,jdk.unsupported \
  --output="$folder/jdk"
# Fray's JUnit extension skips its tests on a runtime that does not say this.
echo 'IMPLEMENTOR=Fray' >>"$folder/jdk/release"
( cd "$folder" && "$java_home/bin/jar" xf "jars/fray-jvmti-linux-x8664-$version.jar" libjvmti.so )
echo "$made_from" >"$mark"
