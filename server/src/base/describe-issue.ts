import { shown } from '@convexa/contract'
import type { z } from 'zod'

const types: Record<string, string> = {
  string: '文字',
  number: '数字',
  int: '整数',
  boolean: 'true 或 false',
  array: '列表',
  object: '对象',
  tuple: '列表',
}

/** Describes what is wrong with one place of a file that an operator wrote, after its name: `缺少`, `过小，最小为 0`. */
export function describeIssue(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined && /undefined/.test(issue.message) ? '缺少' : `需为${types[issue.expected] ?? '另一种值'}`
    case 'too_small':
      return `过小，最小为 ${issue.minimum}${issue.inclusive === false ? '（不含）' : ''}`
    case 'too_big':
      return `过大，最大为 ${issue.maximum}${issue.inclusive === false ? '（不含）' : ''}`
    case 'unrecognized_keys':
      return `有不认识的成员：${issue.keys
        .slice(0, 5)
        .map((key) => shown(key, 40))
        .join('、')}`
    case 'invalid_value':
      return `需为 ${issue.values.map(String).join('、')} 之一`
    case 'invalid_format':
      return '格式不对'
    default:
      return '不是可用的值'
  }
}
