import type { ConfigListItem } from '@convexa/contract/qmt'
import { qmtLabels } from '@convexa/contract/qmt-labels'
import type { ReactNode } from 'react'
import type { List } from '../../../api/lists.ts'
import { useAction } from '../../../api/use-action.ts'
import { Button } from '../../../ui/button.tsx'
import { Card } from '../../../ui/card.tsx'
import { FieldError } from '../../../ui/field-error.tsx'
import { Row } from '../../../ui/layout.tsx'
import type { MenuChoice } from '../../../ui/menu-choice.ts'
import { Empty, ErrorBlock } from '../../../ui/states.tsx'
import { DataTable } from '../../../ui/table/data-table.tsx'
import type { TableColumn } from '../../../ui/table/table-props.ts'
import { Term } from '../../help/term.tsx'
import styles from '../qmt.module.css'
import { ConfigMenu } from './config-menu.tsx'

const mostConfigs = 20

/** What runs where, and how far each is on its way. */
export function ConfigsCard({
  list,
  note,
  columns,
  onOpen,
  onNew,
  onGuide,
  acts,
  more,
}: {
  list: List<ConfigListItem>
  /** Above the rows: what is not done here. */
  note: ReactNode
  columns: readonly TableColumn<ConfigListItem>[]
  onOpen: (id: string, step?: 'dry-run') => void
  /** null: nothing is made or changed here. */
  onNew: (() => void) | null
  onGuide: () => void
  /** More of what can be done with one, beside its dry run. */
  acts: (config: ConfigListItem) => ReactNode
  more: (config: ConfigListItem) => readonly MenuChoice[]
}) {
  const { items, loading, error, retry } = list
  const act = useAction()
  // Then the empty list says what to do first.
  const none = !loading && !error && items.length === 0
  return (
    <Card
      title={qmtLabels.config_id}
      note={items.length > 0 ? `${items.length} 个，最多 ${mostConfigs} 个` : undefined}
      bare
      tools={
        <>
          <Button look={['small', 'ghost']} icon="help" onClick={onGuide}>
            使用说明
          </Button>
          {onNew && (
            <Button
              look={none ? ['small'] : ['small', 'primary']}
              icon="plus"
              aria-keyshortcuts="n"
              disabled={items.length >= mostConfigs}
              onClick={onNew}
            >
              新建配置
            </Button>
          )}
        </>
      }
      foot="本站只生成目标与文件，下单在你自己的电脑和券商账户里进行，默认只演练。"
    >
      {note}
      {act.refused && (
        <div className={styles.qmtRefused}>
          <FieldError>{act.refused}</FieldError>
        </div>
      )}
      <DataTable
        label={qmtLabels.config_id}
        columns={columns}
        rows={items}
        rowKey={({ id }) => id}
        onOpen={({ id }) => onOpen(id)}
        {...(loading && { loading: 3 })}
        instead={
          error ? (
            <ErrorBlock error={error} still="运行配置没有丢失，已导出的客户端照常工作。" onRetry={retry} />
          ) : (
            <Empty
              icon="page"
              title="还没有运行配置"
              actions={
                onNew && (
                  <Button look={['primary']} onClick={onNew}>
                    新建配置
                  </Button>
                )
              }
            >
              <Term k="qmt">QMT</Term>{' '}
              是券商提供的交易终端，开通条件由券商规定。把一个策略、一个账户和一套交易参数组成配置，演练确认后导出到电脑上。
            </Empty>
          )
        }
        menu={(config) => (
          <Row as="span" align="stretch" className={styles.qmtActs}>
            <Button look={['small', 'ghost']} aria-label={`演练${config.name}`} onClick={() => onOpen(config.id, 'dry-run')}>
              演练
            </Button>
            {acts(config)}
            <ConfigMenu config={config} act={act} onEdit={onNew && (() => onOpen(config.id))} more={more(config)} />
          </Row>
        )}
        density="standard"
        cards
      />
    </Card>
  )
}
