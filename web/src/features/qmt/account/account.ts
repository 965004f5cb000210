import { accountTypes, clientTypes } from '@convexa/contract/enums/qmt'
import { labelOf } from '@convexa/contract/enums/table'
import type { Account, AccountBody, AccountChange } from '@convexa/contract/qmt'
import { qmtLabels } from '@convexa/contract/qmt-labels'
import { isDate } from '../../../base/dates.ts'
import type { Rules } from '../../../ui/form/form-state.ts'
import { first, type Rule, rules } from '../../../ui/form/rules.ts'

/** As many characters as the server keeps of each. */
const most = { alias: 50, broker: 50 }

export type AccountValues = {
  alias: string
  broker: string
  /** Empty while editing: the number stays. */
  account_no: string
  account_type: Account['account_type']
  client_type: Account['client_type']
  initial_capital: number | null
  report_status: Account['report_status']
  reported_at: string
  is_enabled: boolean
  remark: string
}

/** `普通账户 · miniQMT`. */
export const accountKind = ({ account_type: type, client_type: client }: Pick<Account, 'account_type' | 'client_type'>): string =>
  `${labelOf(accountTypes, type)} · ${labelOf(clientTypes, client)}`

/** What the form begins with. */
export const valuesOf = (account: Account | null): AccountValues => ({
  alias: account?.alias ?? '',
  broker: account?.broker ?? '',
  account_no: '',
  account_type: account?.account_type ?? 'STOCK',
  client_type: account?.client_type ?? 'mini',
  initial_capital: account?.initial_capital ?? 10,
  report_status: account?.report_status ?? 0,
  reported_at: account?.reported_at ?? '',
  is_enabled: account?.is_enabled ?? true,
  remark: account?.remark ?? '',
})

const short =
  (limit: number, name: string): Rule<string> =>
  (text) =>
    [...text.trim()].length > limit ? `${name}最多 ${limit} 个字符` : null

const number: Rule<string> = (text) => (text === '' || /^[0-9A-Za-z]{4,30}$/.test(text.trim()) ? null : '资金账号应为 4–30 位数字或字母')

/** Of a new account, or of one whose number may stay. */
export const accountRules = (isNew: boolean): Rules<AccountValues> => ({
  alias: first(rules.required('别名'), short(most.alias, '别名')),
  broker: first(rules.required('券商'), short(most.broker, '券商')),
  account_no: isNew ? first(rules.required(qmtLabels.account_no), number) : number,
  initial_capital: (value) => (value !== null && value >= 0 && value <= 100_000 ? null : '初始资金须在 0–100000 万元之间'),
  reported_at: (day, { report_status: reported }) => {
    if (reported === 0) return null
    if (day === '') return '请填写向券商报告的日期'
    return isDate(day) ? null : '请填写日期，例如 2026-01-05'
  },
  remark: rules.remark,
})

const bodyOf = (values: AccountValues) => ({
  alias: values.alias.trim(),
  broker: values.broker.trim(),
  account_type: values.account_type,
  client_type: values.client_type,
  initial_capital: values.initial_capital ?? 0,
  report_status: values.report_status,
  reported_at: values.report_status === 1 ? values.reported_at : null,
  is_enabled: values.is_enabled,
  remark: values.remark,
})

export const newAccount = (values: AccountValues): AccountBody => ({ ...bodyOf(values), account_no: values.account_no.trim() })

export const changedAccount = (values: AccountValues): AccountChange => ({
  ...bodyOf(values),
  ...(values.account_no.trim() !== '' && { account_no: values.account_no.trim() }),
})
