import { accountOf } from '@convexa/contract/account'

/** The mobile or e-mail bound to an account is known here masked only: `138****1234`, `wa***@example.cn`. */

/** Whether what was typed can be what is masked: a slip is seen before a code goes to a stranger. */
export function fitsMask(typed: string, masked: string): boolean {
  const text = accountOf(typed)
  const [head = '', tail = ''] = masked.toLowerCase().split(/\*+/)
  return text.length > head.length + tail.length && text.startsWith(head) && text.endsWith(tail)
}
