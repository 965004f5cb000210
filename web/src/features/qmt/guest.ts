import { useOwnUser } from '../account/own-user.ts'

/** Said where a visitor of the demo cannot leave anything of a person's own. */
export const guestWords = '体验账号不能添加资金账号，也不能生成密钥。请注册自己的账号。'

/** Whether the caller is a visitor of the demo. */
export const useGuest = (): boolean => useOwnUser().user?.demo === true
