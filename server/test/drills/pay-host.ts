import { flushCompileCache } from 'node:module'
import { openLog } from '../../src/base/log.ts'
import type { WechatPaySettings } from '../../src/config/config.ts'
import { readConfig } from '../../src/config/config.ts'
import { connect } from '../../src/db/connect.ts'
import { paymentDeps } from '../../src/payment/payment-deps.ts'

// An api, or a worker as far as orders go: a process that a drill kills. Started by `pay-seller.ts`.

const role = process.argv[2] === 'worker' ? 'worker' : 'api'
const reading = readConfig(
  { ...process.env, LIMIT_REQUESTS: '0', CONNECTIONS_PER_ADDRESS: '100000', CHECK_ANSWERS: '1', STREAM_GRACE_SECONDS: '0' },
  role,
)
if (!reading.ok) throw new Error(reading.problems.join())
const config = { ...reading.config, wechatPay: JSON.parse(process.env['PAY_SETTINGS'] ?? 'null') as WechatPaySettings }
const log = openLog({ logLevel: 'error' }, role)
const { db, close } = connect(config.databaseUrl ?? '', {
  name: `convexa-drill-${role}`,
  ...(role === 'api' && { statementTimeoutMs: 3_800 }),
})
const now = () => new Date()

/** Loads what the role needs; what it gives back starts it, and that gives back its end. */
async function load(): Promise<() => Promise<() => Promise<void>>> {
  if (role === 'worker') {
    const { startPaymentJobs: startCashier } = await import('../../src/payment/payment-jobs.ts')
    return async () => startCashier(db, paymentDeps(db, { config, log, now }), (event, details) => log.debug(details, event)).close
  }
  const [{ buildApp }, vip, order, payment, strategy] = await Promise.all([
    import('../../src/app.ts'),
    import('../../src/payment/vip-routes.ts'),
    import('../../src/payment/order-routes.ts'),
    import('../../src/payment/routes.ts'),
    import('../../src/strategy/routes.ts'),
  ])
  const none = () => Promise.reject(new Error('nothing is computed here'))
  const compute = { call: none, packed: none, workers: async () => 0, underWay: () => 0 }
  const queue = () => Promise.reject(new Error('no queue here'))
  const damage = { suspect: async () => {}, suspectError: async () => false }
  const context = { config, db, log, now, processId: '', compute, damage, queue }
  const app = await buildApp(context, [vip.routes, order.routes, payment.routes, strategy.routes])
  return async () => {
    await app.listen({ port: config.port, host: '127.0.0.1' })
    return () => app.close()
  }
}

const start = await load()
// Node keeps compiled code when it exits, and this one will not.
flushCompileCache()
// A spare one is loaded while the other sells: a drill is about dying, not about starting.
process.send?.('loaded')
process.once('disconnect', () => process.exit(1))
await new Promise((resolve) => process.once('message', resolve))
const stop = await start()
process.send?.('ready')
process.once('SIGTERM', () => {
  void (async () => {
    await stop()
    await close()
    process.exit(0)
  })()
})
