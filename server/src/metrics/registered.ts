import { Histogram, Registry } from 'prom-client'
import { gaugesOf } from './gauges.ts'
import { processMetrics } from './process-metrics.ts'

/** Labels by name of every metric that an api registers; of a histogram, of the series that it becomes. For checks and documents. */
export function registeredMetrics(): Map<string, readonly string[]> {
  const registry = new Registry()
  gaugesOf(registry, '')
  processMetrics(registry, () => 0)
  return new Map(
    registry.getMetricsAsArray().flatMap((metric) => {
      const { name, labelNames = [] } = metric as { name: string; labelNames?: readonly string[] }
      const series = metric instanceof Histogram ? ['_bucket', '_sum', '_count'] : ['']
      return series.map((suffix) => [`${name}${suffix}`, labelNames] as const)
    }),
  )
}
