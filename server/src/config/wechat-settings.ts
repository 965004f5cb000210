import { createPrivateKey, createPublicKey } from 'node:crypto'
import { flag, rsaKey, secret, text, url } from './setting.ts'

export const wechatPayUrl = 'https://api.mch.weixin.qq.com'

export const wechat = {
  WECHAT_APP_ID: text({
    default: '',
    en: 'Web application of the WeChat open platform, for logins; its callback domain is this site.',
    zh: '微信开放平台的网站应用（扫码登录），授权回调域为本站域名。',
  }),
  WECHAT_APP_SECRET: secret({ default: '', en: 'Secret of the web application.', zh: '网站应用的密钥。' }),
  WECHAT_OPEN_URL: url({ default: 'https://open.weixin.qq.com', en: 'Where browsers scan.', zh: '浏览器扫码的地址。' }),
  WECHAT_API_URL: url({ default: 'https://api.weixin.qq.com', en: 'What the server calls.', zh: '服务端调用的地址。' }),
  WECHAT_REQUIRE_STATE: flag({
    default: { en: '0 with the embedded database, else 1', zh: '内置数据库时为 0，否则为 1' },
    en: 'Refuses a scan that its own browser did not begin.',
    zh: '拒绝不是由本浏览器发起的扫码。',
  }),
}

export const wechatPay = {
  WECHAT_PAY_MCH_ID: text({ default: '', en: 'Merchant of WeChat Pay (APIv3).', zh: '微信支付（APIv3）的商户号。' }),
  WECHAT_PAY_APP_ID: text({ default: '', en: 'Paying application.', zh: '支付应用的 AppID。' }),
  WECHAT_PAY_SERIAL: text({ default: '', en: "Serial number of the merchant's certificate.", zh: '商户证书的序列号。' }),
  WECHAT_PAY_PRIVATE_KEY: rsaKey(createPrivateKey, {
    default: '',
    en: "Private key of the merchant's certificate: PEM or its file.",
    zh: '商户证书的私钥：PEM 文本或其文件。',
  }),
  WECHAT_PAY_V3_KEY: secret({
    default: '',
    rules: [[/^[\x20-\x7e]{32}$/, '需为 32 个字符']],
    en: 'APIv3 key, 32 characters.',
    zh: 'APIv3 密钥，32 个字符。',
  }),
  WECHAT_PAY_PUBLIC_KEY_ID: text({
    default: '',
    en: "Id of WeChat's public key; without it the platform certificates are fetched.",
    zh: '微信支付公钥 ID；不设则自动获取平台证书。',
  }),
  WECHAT_PAY_PUBLIC_KEY: rsaKey(createPublicKey, {
    default: '',
    secret: false,
    en: "WeChat's public key: PEM or its file.",
    zh: '微信支付公钥：PEM 文本或其文件。',
  }),
  WECHAT_PAY_APP_SECRET: secret({
    default: '',
    en: 'Secret of the paying application, to learn the payer inside WeChat.',
    zh: '支付应用的密钥，用于在微信内取得付款人。',
  }),
  WECHAT_PAY_NOTIFY_URL: url({
    default: { en: 'below SITE_URL', zh: '`SITE_URL` 之下' },
    en: 'Address for payment notices.',
    zh: '接收支付通知的地址。',
  }),
  WECHAT_PAY_URL: url({
    default: wechatPayUrl,
    en: 'Another address of WeChat Pay: a stand-in with test money.',
    zh: '微信支付接口的其他地址，如测试用的替身。',
  }),
  IOS_VIRTUAL_PAY: flag({ default: false, en: 'Sells to iPhones too.', zh: '也向 iPhone 用户出售。' }),
}
