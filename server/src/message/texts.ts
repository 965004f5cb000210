export type Channel = 'sms' | 'email'

/** What a verification code is for, as the sentence that carries it says. */
export const codePurposes = {
  register: '注册账号',
  reset_password: '重置密码',
  bind_wechat: '绑定微信',
  mobile_new: '绑定新手机号',
  mobile_old: '更换手机号（验证原手机号）',
  activate_email: '激活邮箱',
  re_auth: '身份验证',
} as const satisfies Record<string, string>
export type CodePurpose = keyof typeof codePurposes

/** What the owner is told afterwards, at the old address, so that a change by somebody else does not go unnoticed. */
export const notices = {
  already_registered: '您已注册过账号，无需再次注册。直接登录即可；忘记密码时请在登录页选择“忘记密码”',
  password_changed: '账号密码已修改，其他设备已退出登录',
  mobile_changed: '账号绑定的手机号已更换',
  email_changed: '账号绑定的邮箱已更换',
  wechat_bound: '账号已绑定微信登录',
  new_device: '账号在新设备上登录',
  deletion_asked: '账号将在 7 天后注销，期间登录即可撤销',
} as const satisfies Record<string, string>
export type NoticePurpose = keyof typeof notices

export type Purpose = CodePurpose | NoticePurpose
