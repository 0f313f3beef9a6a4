package dev.millrace.profiler.launch;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class MachineLoadTest {
  @Test
  void otherWorkOnMoreThanHalfOfTheCoresIsBusy() {
    assertThat(new MachineLoad(1.1, 2).isBusy()).isTrue();
    assertThat(new MachineLoad(0.9, 2).isBusy()).isFalse();
    assertThat(new MachineLoad(1.1, 2).warning()).contains("load average 1.1 on 2 cores");
  }

  @Test
  void unknownLoadIsNotCalledBusy() {
    assertThat(new MachineLoad(-1, 2).isBusy()).isFalse();
  }
}
