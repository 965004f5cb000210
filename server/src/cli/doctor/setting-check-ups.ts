import { type CheckUp, fault, note, ok, unless } from './finding.ts'

/** A variable that is no setting of ours, and is spelt nearly like one. */
const isUnknown = (warning: string): boolean => / 不存在，是否指 /.test(warning)

/** What the environment says. */
export const settingCheckUps: readonly CheckUp[] = [
  {
    name: '设置',
    look: async ({ reading }) => {
      if (!reading.ok) return reading.problems.map((problem) => fault(problem))
      return unless(
        reading.warnings.filter((warning) => !isUnknown(warning)).map((warning) => note(warning)),
        '无误；./convexa config 列出生效的值',
      )
    },
  },
  {
    name: '不认识的变量',
    look: async ({ reading }) => {
      if (!reading.ok) return [note('没有检查（设置有误）')]
      const unknown = reading.warnings.filter(isUnknown)
      return unknown.length > 0 ? unknown.map((warning) => note(warning)) : [ok('没有')]
    },
  },
]
