/** Sentences that the server answers with and a page says by itself, before it asks or in its own place. */
export const sentences = {
  loginFirst: '请先登录',
  bindingLost: '绑定信息已失效，请重新扫码',
  noWechatLogin: '本站未开通微信登录',
  payInWechat: '请在手机微信中打开本页面完成支付',
  maintenance: '系统维护中',
  runCancelled: '回测已取消',
  linkEnded: '链接已失效',
  shareRevoked: '分享者已撤回',
  demoTrading: '演示数据不能用于交易',
  accountDisabled: '账户已停用',
  /** In place of the name of what a config ran and is there no more. */
  sourceDeleted: '（已删除）',
} as const
