import { nameTexts } from './rules/names.ts'
import { passwordTexts } from './rules/passwords.ts'
import { sentences } from './rules/sentences.ts'

/**
 * Every business code: HTTP status and Chinese message (reliability.md 6.2). `{…}` are places to fill.
 * 401 means a missing or dead login only; 403 is never sent.
 */
export const errors = {
  0: { http: 200, msg: '成功' },
  40000: { http: 400, msg: '请求参数有误：{字段}' },
  40001: { http: 400, msg: '请求格式有误' },
  40004: { http: 404, msg: '内容不存在或已被删除' },
  40005: { http: 405, msg: '不支持的请求方式' },
  40009: { http: 409, msg: '数据已被修改，请刷新后重试' },
  40013: { http: 413, msg: '提交内容过大' },
  40015: { http: 415, msg: '不支持的内容类型' },
  40021: { http: 400, msg: '请通过本站的网址访问' },
  40029: { http: 429, msg: '操作过于频繁，请{n}秒后再试' },
  40030: { http: 429, msg: '请先完成人机验证' },
  40100: { http: 401, msg: sentences.loginFirst },
  40101: { http: 401, msg: '登录已过期，请重新登录' },
  40102: { http: 401, msg: '已退出登录' },
  40103: { http: 401, msg: '检测到登录凭证异常，已退出全部设备，请重新登录' },
  11001: { http: 400, msg: '账号或密码错误' },
  11002: { http: 429, msg: '尝试次数过多，请{n}分钟后再试' },
  11003: { http: 400, msg: '验证码错误或已失效' },
  11004: { http: 429, msg: '验证码发送过于频繁，请{n}秒后再试' },
  11005: { http: 429, msg: '今日验证码次数已达上限' },
  11006: { http: 400, msg: '手机号或邮箱格式不正确' },
  11007: { http: 400, msg: passwordTexts.length },
  11008: { http: 400, msg: passwordTexts.common },
  11009: { http: 409, msg: '该账号已注册，请直接登录' },
  11010: { http: 409, msg: '该手机号已被其他账号使用' },
  11011: { http: 400, msg: '请先验证原手机号' },
  11012: { http: 400, msg: '激活码错误或已失效' },
  11013: { http: 400, msg: '请先完成身份验证' },
  11020: { http: 400, msg: '微信授权已失效，请重新扫码' },
  11021: { http: 409, msg: '该微信尚未绑定账号' },
  11022: { http: 409, msg: '该微信已绑定其他账号' },
  11023: { http: 400, msg: sentences.bindingLost },
  11024: { http: 503, msg: '微信服务暂时不可用，请稍后重试' },
  11030: { http: 400, msg: '图片格式不支持，请上传 JPG、PNG 或 WebP' },
  11031: { http: 413, msg: '图片不能超过2MB' },
  11032: { http: 400, msg: '上传凭证已失效，请重试' },
  21001: { http: 402, msg: '该功能需要开通会员' },
  21002: { http: 429, msg: '今日使用次数已达上限' },
  21003: { http: 409, msg: nameTexts.taken },
  21004: { http: 400, msg: nameTexts.length },
  21005: { http: 409, msg: '策略数量已达上限' },
  21006: { http: 409, msg: '该策略已被策略组使用，无法删除' },
  21007: { http: 400, msg: '日期范围无效或超出数据区间' },
  21008: { http: 503, msg: '行情数据更新中，请稍后重试' },
  21009: { http: 404, msg: '该年份交易日历暂无数据' },
  21010: { http: 409, msg: '该因子正被{n}个策略使用，确认后可删除' },
  21011: { http: 503, msg: '行情文件已损坏，请联系管理员' },
  21012: { http: 409, msg: '该回测所用的数据版本已不再保留，请用当前数据重新运行' },
  22001: { http: 400, msg: '公式过长' },
  22002: { http: 400, msg: '公式语法错误（第{l}行第{c}列）' },
  22003: { http: 400, msg: '公式过于复杂' },
  22004: { http: 400, msg: '公式嵌套层数过多' },
  22005: { http: 400, msg: '公式计算量过大，请缩短周期或减少因子' },
  22006: { http: 400, msg: '未知函数：{名}' },
  22007: { http: 400, msg: '函数{名}的参数个数不正确' },
  22008: { http: 400, msg: '周期需为1至500的整数' },
  22009: { http: 400, msg: '未知因子：{名}' },
  22010: { http: 409, msg: '因子存在循环引用' },
  23001: { http: 400, msg: '回测参数有误：{字段}' },
  23002: { http: 429, msg: '等待中的回测已满，请等待完成' },
  23003: { http: 503, msg: '当前回测任务较多，请稍后重试' },
  23020: { http: 503, msg: '回测进程异常退出，请重试' },
  23021: { http: 503, msg: '计算超时，请缩小范围后重试' },
  23022: { http: 503, msg: '服务正在升级，请稍后重试' },
  23023: { http: 503, msg: '结果保存失败，请重试' },
  23024: { http: 409, msg: sentences.runCancelled },
  24001: { http: 409, msg: 'QMT账户数量已达上限' },
  24002: { http: 409, msg: '该QMT账户已存在' },
  24003: { http: 400, msg: '交易配置有误：{字段}' },
  24004: { http: 409, msg: '该账户正被运行配置使用，无法删除' },
  24010: { http: 409, msg: '该交易配置正被运行配置使用，无法删除' },
  24011: { http: 409, msg: sentences.demoTrading },
  24005: { http: 409, msg: '自动交易已停止，请先重新启用' },
  24006: { http: 409, msg: '信号数据不是最新交易日，已停止导出' },
  24007: { http: 409, msg: '可用资金不足以买入最小单位' },
  24021: { http: 409, msg: '该委托已有结果' },
  24022: { http: 400, msg: '成交数量须在 0 与委托数量之间' },
  24008: { http: 400, msg: 'API密钥无效' },
  25010: { http: 409, msg: '体验账号不能使用该功能，请先注册' },
  31001: { http: 404, msg: '套餐不存在或已下架' },
  31002: { http: 409, msg: '未完成订单过多，请先处理' },
  31003: { http: 409, msg: '订单已关闭，请重新下单' },
  31004: { http: 409, msg: '订单已支付，请勿重复支付' },
  31005: { http: 409, msg: '订单已过期，请重新下单' },
  31006: { http: 409, msg: '上一次支付正在关闭，请稍后重试' },
  31007: { http: 503, msg: '支付下单处理中，请稍后重试' },
  31008: { http: 503, msg: '支付服务暂时不可用，请稍后重试' },
  31009: { http: 400, msg: '支付下单失败，请重新尝试' },
  31010: { http: 400, msg: sentences.payInWechat },
  31011: { http: 409, msg: '已支付订单不能删除' },
  50000: { http: 500, msg: '服务器开小差了，请稍后重试' },
  50301: { http: 503, msg: '服务繁忙，请稍后重试' },
  50302: { http: 503, msg: '当前登录人数较多，请稍后重试' },
  50303: { http: 503, msg: sentences.maintenance },
} as const satisfies Record<number, { http: number; msg: string }>

export type ErrorCode = Exclude<keyof typeof errors, 0>

const longestPlace = 80

/** The code's sentence with its `{…}` places filled in order: as one line, a long one cut, so that the whole has at most 100 characters. */
export function messageOf(code: ErrorCode, ...places: (string | number)[]): string {
  let i = 0
  return errors[code].msg.replace(/\{[^}]*\}/g, () => shown(String(places[i++] ?? ''), longestPlace))
}

/** What a user wrote, as a sentence repeats it: characters that cannot be seen dropped, cut to `most` characters. */
export function shown(text: string, most: number): string {
  const seen = [...text.slice(0, 4 * most).replace(/\p{C}/gu, '')]
  return seen.length > most ? `${seen.slice(0, most - 1).join('')}…` : seen.join('')
}
