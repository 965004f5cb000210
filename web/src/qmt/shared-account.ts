import { useOwnUser } from '../account/own-user.ts'

/** Said where the demo account, which all visitors share, must not hold anything of a person's own. */
export const sharedAccountWords = '体验账号由访客共用，不能生成密钥，也请不要填写真实资金账号。请注册自己的账号。'

/** Whether the caller is the demo account. */
export const useSharedAccount = (): boolean => useOwnUser().user?.demo === true
