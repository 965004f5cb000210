import { v7 as uuid } from 'uuid'
import { openLog } from '../src/base/log.ts'
import { type Config, readConfig } from '../src/config/config.ts'
import type { AppContext } from '../src/context/app-context.ts'
import type { Compute } from '../src/context/compute.ts'
import { damageWatch } from '../src/market/damage.ts'
import { lazyQueue } from '../src/queue/queue.ts'
import type { TestDatabase } from './database.ts'

/** No worker: what computes is tested with real ones. */
const noCompute: Compute = {
  call: () => Promise.reject(new Error('this test has no worker')),
  packed: () => Promise.reject(new Error('this test has no worker')),
  workers: async () => 0,
  underWay: () => 0,
}

/** A World on a test database; answers are checked against the contract. What is logged lands in `logged`. */
export function testWorld(
  database: TestDatabase,
  given: Partial<Omit<AppContext, 'config' | 'compute'>> & { config?: Partial<Config>; compute?: Partial<Compute> } = {},
) {
  const reading = readConfig(
    {
      DATABASE_URL: database.url,
      CHECK_ANSWERS: '1',
      CALL_PATIENCE: '5',
      DEMO_LOGIN: '1',
      STREAM_GRACE_SECONDS: '0',
      LIMIT_REQUESTS: '0',
      CONNECTIONS_PER_ADDRESS: '100000',
      PREPARE_LISTS: '0',
      SECRET_KEY: 'only for tests '.repeat(3),
    },
    'api',
  )
  if (!reading.ok) throw new Error(reading.problems.join())
  const logged: string[] = []
  const log = openLog({ logLevel: 'trace' }, 'api', { write: (line) => void logged.push(line) })
  const dataDir = given.config?.dataDir ?? reading.config.dataDir
  const context: AppContext = {
    db: database.db,
    connectionString: database.url,
    log,
    now: () => new Date('2026-11-20T08:00:00Z'),
    processId: uuid(),
    damage: damageWatch({ db: database.db, dataDir, mayBeElsewhere: false, log: (event, details) => log.warn(details, event) }),
    queue: lazyQueue(database.url, database.db, () => {}).queue,
    ...given,
    compute: { ...noCompute, ...given.compute },
    config: { ...reading.config, ...given.config },
  }
  return { context, logged }
}
