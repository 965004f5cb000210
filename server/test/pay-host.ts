import type { WechatPaySettings } from '../src/config.ts'
import { readConfig } from '../src/config.ts'
import { connect } from '../src/db/connect.ts'
import { buildApp } from '../src/http/app.ts'
import { openLog } from '../src/log.ts'
import { routes as order } from '../src/order/routes.ts'
import { startCashier } from '../src/payment/cashier.ts'
import { payGround } from '../src/payment/ground.ts'
import { routes as payment } from '../src/payment/routes.ts'
import { routes as vip } from '../src/vip/routes.ts'

// An api and a worker as far as orders go, in one process that a drill kills. Started by `pay-drill.ts`.

const reading = readConfig({ ...process.env, LIMIT_REQUESTS: '0', CHECK_ANSWERS: '1', STREAM_GRACE_SECONDS: '0' }, 'api')
if (!reading.ok) throw new Error(reading.problems.join())
const config = { ...reading.config, wechatPay: JSON.parse(process.env['PAY_SETTINGS'] ?? 'null') as WechatPaySettings }
const log = openLog({ logLevel: 'error' }, 'api')
const { db, close } = connect(config.databaseUrl ?? '', { name: 'convexa-drill', statementTimeoutMs: 3_800 })
const now = () => new Date()
const compute = { call: () => Promise.reject(new Error('nothing is computed here')), workers: async () => 0 }
const queue = () => Promise.reject(new Error('no queue here'))
const world = { config, db, connectionString: config.databaseUrl ?? '', log, now, processId: '', compute, queue }
const app = await buildApp(world, [vip, order, payment])
// A spare one is loaded while the other sells: a drill is about dying, not about starting.
process.send?.('loaded')
process.once('disconnect', () => process.exit(1))
await new Promise((resolve) => process.once('message', resolve))
await app.listen({ port: config.port, host: '127.0.0.1' })
const cashier = startCashier(db, payGround(db, world), (event, details) => log.debug(details, event))
process.send?.('ready')
process.once('SIGTERM', () => {
  void (async () => {
    await app.close()
    await cashier.close()
    await close()
    process.exit(0)
  })()
})
