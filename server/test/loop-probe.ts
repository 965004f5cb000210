/** `--import` of a process whose event loop is watched: writes the delays so far into the file LOOP_PROBE, begins anew at SIGUSR2. */
import { writeFileSync } from 'node:fs'
import { monitorEventLoopDelay } from 'node:perf_hooks'

const file = process.env['LOOP_PROBE']
if (file) {
  const resolution = 5
  const delays = monitorEventLoopDelay({ resolution })
  delays.enable()
  process.on('SIGUSR2', () => delays.reset())
  // What is measured are its own ticks: the delay is what comes on top.
  const ms = (nanoseconds: number) => Math.max(0, nanoseconds / 1e6 - resolution)
  setInterval(() => {
    writeFileSync(file, JSON.stringify({ p50: ms(delays.percentile(50)), p99: ms(delays.percentile(99)), most: ms(delays.max) }))
  }, 250).unref()
}
