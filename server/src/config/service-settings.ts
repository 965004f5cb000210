import { feedNames } from './feeds.ts'
import { hostAndPort, integer, long, secret, someOf, text, url } from './setting.ts'

// Settings of services of others, rows of the table `settings`.

/** A line end in a header would begin another header. */
const printable = [/^[\x20-\x7e]*$/, '只能有可打印的 ASCII 字符'] as const

export const messages = {
  SMTP_URL: url({
    default: '',
    secret: true,
    protocols: ['smtp:', 'smtps:'],
    en: 'Mail server: smtps://user:password@host:465 or smtp://user:password@host:587.',
    zh: '邮件服务器：`smtps://用户:密码@主机:465` 或 `smtp://用户:密码@主机:587`。',
  }),
  MAIL_FROM: text({
    default: '',
    en: 'Sender of mails: Convexa <no-reply@example.com>.',
    zh: '发件人，如 `凸度量化 <no-reply@example.com>`；设置 `SMTP_URL` 时必填。',
  }),
  SMS_ACCESS_KEY_ID: secret({ default: '', en: 'Access key of Alibaba Cloud SMS.', zh: '阿里云短信的 AccessKey ID。' }),
  SMS_ACCESS_KEY_SECRET: secret({ default: '', en: 'Access key secret of Alibaba Cloud SMS.', zh: '阿里云短信的 AccessKey Secret。' }),
  SMS_SIGN_NAME: text({ default: '', en: 'Signature of text messages.', zh: '短信签名。' }),
  // biome-ignore lint/suspicious/noTemplateCurlyInString: the variable of the vendor's template
  SMS_CODE_TEMPLATE: text({ default: '', en: 'Template of codes; one variable, ${code}.', zh: '验证码模板，只有一个变量 `${code}`。' }),
  SMS_NOTICE_TEMPLATE: text({
    default: '',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the variable of the vendor's template
    en: 'Template of notices about the account; one variable, ${what}. Without it notices go by mail alone.',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the variable of the vendor's template
    zh: '账号提醒模板，只有一个变量 `${what}`；不设则提醒只用邮件发送。',
  }),
  SMS_ENDPOINT: url({
    default: 'https://dysmsapi.aliyuncs.com',
    en: 'Another address of the SMS api.',
    zh: '短信接口的其他地址。',
  }),
}

export const feeds = {
  FEEDS: someOf(feedNames, {
    default: [],
    en: `Market data sources that are on, separated by commas: ${feedNames.join(', ')}.`,
    zh: `启用的行情数据源，以逗号分隔：${feedNames.map((name) => `\`${name}\``).join('、')}。`,
  }),
  TUSHARE_TOKEN: secret({ default: '', rules: [printable], en: 'Token of Tushare Pro.', zh: 'Tushare Pro 的 token。' }),
  TUSHARE_PER_MINUTE: integer({
    default: 200,
    min: 1,
    max: 10_000,
    en: 'Requests a minute that the account may send to one api.',
    zh: '账号等级允许每分钟访问一个接口的次数。',
  }),
  JISILU_COOKIE: secret({ default: '', rules: [printable], en: 'Cookie of a logged-in user.', zh: '集思录登录用户的 cookie。' }),
  XTDATA_KEY: secret({
    default: '',
    rules: [printable, long],
    en: 'Key of at least 32 characters that the bridge shows.',
    zh: '桥接程序出示的密钥，至少 32 个字符。',
  }),
  FEED_FOLDER: text({
    default: '',
    en: 'Folder with stk, cb, index and statements, of Parquet and CSV files.',
    zh: '放 Parquet、CSV 文件的目录，其下分 `stk`、`cb`、`index`、`statements`。',
  }),
  FEED_KEEP_DAYS: integer({
    default: 400,
    min: 30,
    max: 36_500,
    en: 'Days for which answers of sources are kept in DATA_DIR/raw, so that a day can be made again.',
    zh: '数据源的原始应答（`DATA_DIR/raw`）保留多少天，至少 30 天，以便重新生成某一天。',
  }),
  TUSHARE_URL: url({ default: 'http://api.tushare.pro', en: 'Another address of Tushare Pro.', zh: 'Tushare Pro 接口的其他地址。' }),
  BAOSTOCK_ADDRESS: hostAndPort({
    default: 'public-api.baostock.com:10030',
    en: 'Another address of BaoStock, host:port.',
    zh: 'BaoStock 接口的其他地址，`主机:端口`。',
  }),
  EASTMONEY_URL: url({
    default: 'https://82.push2.eastmoney.com',
    en: 'Another address of Eastmoney, lists.',
    zh: '东方财富列表接口的其他地址。',
  }),
  EASTMONEY_OTHER_URL: url({
    default: 'https://push2delay.eastmoney.com',
    en: 'Another address of Eastmoney, delayed lists.',
    zh: '东方财富延时列表接口的其他地址。',
  }),
  EASTMONEY_HISTORY_URL: url({
    default: 'https://push2his.eastmoney.com',
    en: 'Another address of Eastmoney, history.',
    zh: '东方财富历史行情接口的其他地址。',
  }),
  EASTMONEY_DATA_URL: url({
    default: 'https://datacenter-web.eastmoney.com',
    en: 'Another address of Eastmoney, tables.',
    zh: '东方财富数据表接口的其他地址。',
  }),
  TENCENT_URL: url({ default: 'https://qt.gtimg.cn', en: 'Another address of Tencent.', zh: '腾讯行情接口的其他地址。' }),
  SINA_URL: url({ default: 'https://hq.sinajs.cn', en: 'Another address of Sina.', zh: '新浪行情接口的其他地址。' }),
  JISILU_URL: url({ default: 'https://www.jisilu.cn', en: 'Another address of Jisilu.', zh: '集思录的其他地址。' }),
}
