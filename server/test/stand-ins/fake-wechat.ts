import { payer, wechatStandIn } from './wechat-stand-in.ts'

// `npm run fake:wechat [port]`: the stand-in for WeChat's web login, to be used by hand.

const fake = await wechatStandIn({ port: Number(process.argv[2] ?? 8090) })
console.log(`微信登录替身已启动：${fake.url}，按 Ctrl-C 停止。另开一个终端启动网站：

WECHAT_APP_ID=${fake.appId} WECHAT_APP_SECRET=${fake.appSecret} WECHAT_OPEN_URL=${fake.url} WECHAT_API_URL=${fake.url} WECHAT_PAY_APP_SECRET=${payer.appSecret} npm start
`)
// Started by a script, it ends with it.
process.once('disconnect', () => process.exit())
