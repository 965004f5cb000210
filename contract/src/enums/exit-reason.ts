import type { Row } from './table.ts'

/** Why a security left the market. */
export const exitReasons = {
  maturity: { label: '到期' },
  called: { label: '强赎' },
  small: { label: '规模不足' },
  delisted: { label: '退市' },
  unknown: { label: '退出原因不明' },
} as const satisfies Record<string, Row>
export type ExitReason = keyof typeof exitReasons
