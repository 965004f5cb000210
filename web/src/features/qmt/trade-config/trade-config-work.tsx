import { qmtLabels } from '@convexa/contract/qmt-labels'
import { useQuery } from '@tanstack/react-query'
import { useCallback, useRef } from 'react'
import { useSearchParams } from 'react-router'
import { useList } from '../../../api/lists.ts'
import { useKeys } from '../../../keys/use-keys.ts'
import { Button } from '../../../ui/button.tsx'
import { Card } from '../../../ui/card.tsx'
import { confirm } from '../../../ui/confirm.tsx'
import { tradingConfigQuery, tradingConfigsQuery } from '../qmt-queries.ts'
import styles from './trade-config.module.css'
import { closingTemplate, type TradeValues, valuesOf } from './trade-config.ts'
import { TradeConfigEditor } from './trade-config-editor.tsx'
import { TradeConfigList } from './trade-config-list.tsx'

const isNew = 'new'

/** 交易参数: the list at the left, the one that is open beside it. Which one is open stands in the address. */
export function TradeConfigWork() {
  const [query, setQuery] = useSearchParams()
  const list = useList(tradingConfigsQuery)
  const changed = useRef(false)
  const requestedId = query.get('id')
  const open = requestedId === isNew ? isNew : (list.items.find(({ id }) => id === requestedId)?.id ?? list.items[0]?.id ?? null)
  const show = (id: string | null) => {
    changed.current = false
    setQuery(id === null ? {} : { id })
  }
  const go = async (id: string) => {
    if (id === open || !(await mayLeave(changed.current))) return
    show(id)
  }
  const create = () => void go(isNew)
  useKeys({ create })
  const onChanged = useCallback((is: boolean) => {
    changed.current = is
  }, [])
  const given = {
    onChanged,
    onSaved: show,
    onGone: () => show(null),
  }
  return (
    <div className={styles.trade}>
      <Card
        title={qmtLabels.trading_config_id}
        note={list.items.length > 0 ? `${list.items.length} 份` : undefined}
        bare
        tools={
          <Button look={['small']} icon="plus" aria-keyshortcuts="n" onClick={create}>
            新建
          </Button>
        }
        state={
          list.loading
            ? { kind: 'loading', rows: 4 }
            : list.error
              ? { kind: 'error', error: list.error, still: '已保存的交易参数没有丢失，已导出的客户端照常工作。', onRetry: list.retry }
              : list.items.length === 0 && open !== isNew
                ? {
                    kind: 'empty',
                    icon: 'calendar',
                    title: '还没有交易参数',
                    text: '从尾盘模板开始：14:50 起每 30 秒一批，只演练、不下单，再按自己的习惯改。',
                    action: { label: '使用「尾盘模板」', act: create },
                  }
                : { kind: 'ready' }
        }
        foot="告诉客户端什么时候、用什么价、以多大的单笔去成交目标。"
      >
        <TradeConfigList items={list.items} current={open} onOpen={(id) => void go(id)} />
        {open === isNew && <p className={styles.tradeNew}>正在新建，保存后出现在这里。</p>}
      </Card>
      {open === isNew ? (
        <TradeConfigEditor key={isNew} id={null} first={nameless(list.items.map(({ name }) => name))} {...given} />
      ) : (
        open !== null && <Stored key={open} id={open} {...given} />
      )}
    </div>
  )
}

const mayLeave = async (changed: boolean): Promise<boolean> =>
  !changed ||
  (await confirm({ title: '放弃未保存的修改？', text: '刚才的修改还没有保存，离开后不能恢复。', action: '放弃修改', icon: 'undo' }))

/** The template under a name that is not there yet. */
function nameless(names: readonly string[]): TradeValues {
  const { name } = closingTemplate
  let next = name
  for (let i = 2; names.includes(next); i++) next = `${name} ${i}`
  return { ...closingTemplate, name: next }
}

function Stored({ id, ...given }: { id: string } & Omit<Parameters<typeof TradeConfigEditor>[0], 'id' | 'first'>) {
  const { data, error, refetch } = useQuery(tradingConfigQuery(id))
  if (data) return <TradeConfigEditor id={id} first={valuesOf(data)} {...given} />
  return (
    <Card
      title="参数"
      state={
        error
          ? { kind: 'error', error, still: '列表里的其他交易参数不受影响。', onRetry: () => void refetch() }
          : { kind: 'loading', rows: 8 }
      }
    />
  )
}
