import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { claimDataDir } from '../../src/base/data-dir.ts'
import { payStandIn } from './pay-stand-in.ts'
import { makePayKeys, type PayKeys } from './pay-stand-in-keys.ts'

// `npm run fake:pay [port]`: the stand-in for WeChat Pay, to be used by hand. Its keys stay in a folder, so that a site that knows them
// goes on when it is started again; its book is forgotten.

const dataDir = resolve(process.env['DATA_DIR'] ?? 'data')
const folder = join(dataDir, 'fake-pay')
const file = join(folder, 'keys.json')
// The site that starts afterwards takes a folder with anything in it only where it is marked as its own.
claimDataDir(dataDir)
mkdirSync(folder, { recursive: true, mode: 0o700 })
if (!existsSync(file)) writeFileSync(file, JSON.stringify(makePayKeys()), { mode: 0o600 })
const keys = JSON.parse(readFileSync(file, 'utf8')) as PayKeys
writeFileSync(join(folder, 'merchant.pem'), keys.merchant.privateKey, { mode: 0o600 })
writeFileSync(join(folder, 'wechatpay.pem'), keys.platform.publicKey)

const fake = await payStandIn({ port: Number(process.argv[2] ?? 8091), keys })
const { mchId, appId, serial } = fake.settings()
console.log(`微信支付替身已启动：${fake.url}（订单都列在这里，可以代为支付），按 Ctrl-C 停止。另开一个终端启动网站：

WECHAT_PAY_URL=${fake.url} WECHAT_PAY_MCH_ID=${mchId} WECHAT_PAY_APP_ID=${appId} \\
WECHAT_PAY_SERIAL=${serial} WECHAT_PAY_V3_KEY=${keys.v3Key} \\
WECHAT_PAY_PRIVATE_KEY=${join(folder, 'merchant.pem')} \\
WECHAT_PAY_PUBLIC_KEY_ID=${keys.platform.id} WECHAT_PAY_PUBLIC_KEY=${join(folder, 'wechatpay.pem')} npm start
`)
// Started by a script, it ends with it.
process.once('disconnect', () => process.exit())
