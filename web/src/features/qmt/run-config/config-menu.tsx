import { calls } from '@convexa/contract/calls'
import type { ConfigListItem } from '@convexa/contract/qmt'
import { call } from '../../../api/client.ts'
import type { Act } from '../../../api/use-action.ts'
import { confirm } from '../../../ui/confirm.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { Menu } from '../../../ui/menu.tsx'
import type { MenuChoice } from '../../../ui/menu-choice.ts'
import { toast } from '../../../ui/toast.tsx'
import { qmtChanged } from '../qmt-queries.ts'

/** What else can be done with a config; a failure is said where `act` says it. Without `onEdit` nothing that changes it. */
export function ConfigMenu({
  config,
  act,
  onEdit,
  more,
}: {
  config: ConfigListItem
  act: Act
  onEdit: (() => void) | null
  more: readonly MenuChoice[]
}) {
  const { id, name, enabled } = config
  const toggle = async () => {
    if (!(await act.run(() => call(calls.qmt.changeConfig, { params: { id }, body: { enabled: !enabled } })))) return
    await qmtChanged()
    toast.done(enabled ? `「${name}」已停用，客户端下次拉取时停止` : `「${name}」已启用`)
  }
  const remove = async () => {
    const meant = await confirm({
      title: `删除运行配置「${name}」？`,
      text: '删除后不可恢复，它的委托记录也会删除；已导出的客户端不再能拉取目标。已有的持仓不会自动卖出。',
      action: '删除',
      icon: 'bin',
    })
    if (!meant || !(await act.run(() => call(calls.qmt.removeConfig, { params: { id } })))) return
    await qmtChanged()
    toast.done(`运行配置「${name}」已删除`)
  }
  return (
    <Menu
      label={`${name}的更多操作`}
      align="right"
      className="button ghost small square"
      button={<Icon name="more" size="middle" />}
      choices={[
        ...(onEdit ? [{ label: '编辑', run: onEdit }] : []),
        ...more,
        ...(onEdit
          ? [
              { label: enabled ? '停用' : '启用', run: toggle },
              { label: '删除', run: remove, danger: true },
            ]
          : []),
      ]}
    />
  )
}
