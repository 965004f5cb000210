import type { Row } from './table.ts'

/** `call_status`: what has been announced of a bond's call. The place in this order is the value of the market field. */
export const callStatuses = {
  none: { label: '无强赎' },
  met: { label: '已满足强赎条件' },
  notice: { label: '公告提示强赎' },
  announced: { label: '已公告强赎' },
  executing: { label: '公告实施强赎' },
  maturity: { label: '公告到期赎回' },
} as const satisfies Record<string, Row>
export type CallStatus = keyof typeof callStatuses

export interface CallStateRow extends Row {
  readonly status: CallStatus
}

const of = (status: Exclude<CallStatus, 'none'>): CallStateRow => ({ label: callStatuses[status].label, status })

/** The finer states of the factor `is_call`, each with its `call_status`. The place in this order is the factor's value, the label its text. */
export const callStates = {
  none: { label: '无', status: 'none' },
  not_convertible: { label: '未到转股期', status: 'none' },
  counting: { label: '计数中', status: 'none' },
  near: { label: '临近触发', status: 'none' },
  met: of('met'),
  waived: { label: '公告不强赎', status: 'none' },
  notice: of('notice'),
  announced: of('announced'),
  executing: of('executing'),
  maturity: of('maturity'),
  // From 2022-08-01: the clause was met and nothing was published, which is no promise.
  presumed: { label: '公告不强赎（推定）', status: 'none' },
} as const satisfies Record<string, CallStateRow>
export type CallState = keyof typeof callStates
