import { type DestinationStream, destination, type Logger, pino } from 'pino'
import type { Config } from './config.ts'

/**
 * One JSON line an event. Of an error only what it is and where: database errors carry their connection and the values of the
 * statement with them, which belong in no log.
 */
export function openLog({ logLevel }: Pick<Config, 'logLevel'>, role: 'api' | 'worker', to: DestinationStream = destination(1)): Logger {
  return pino({ level: logLevel, base: { role }, serializers: { err: whatAndWhere } }, to)
}

function whatAndWhere(error: unknown): unknown {
  if (!(error instanceof Error)) return String(error)
  const { name, message, stack } = error
  const { code } = error as { code?: unknown }
  return { type: name, message, ...(typeof code === 'string' ? { code } : {}), stack }
}
