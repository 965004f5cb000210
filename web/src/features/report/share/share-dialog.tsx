import { calls } from '@convexa/contract/calls'
import { isSynthetic } from '@convexa/contract/enums/data-mode'
import type { ReportCore } from '@convexa/contract/report'
import type { ShareListItem } from '@convexa/contract/share'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../../../api/client.ts'
import { sentenceOf } from '../../../api/messages.ts'
import { queries } from '../../../api/queries.ts'
import { dateTime } from '../../../base/dates.ts'
import { Button } from '../../../ui/button.tsx'
import { confirm } from '../../../ui/confirm.tsx'
import { Segmented } from '../../../ui/controls.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { Row } from '../../../ui/layout.tsx'
import { ErrorBlock } from '../../../ui/states.tsx'
import { copyText } from '../../../ui/table/sheet.ts'
import { Table } from '../../../ui/table/table.tsx'
import { toast } from '../../../ui/toast.tsx'
import styles from './share.module.css'
import { sharesQuery } from './share-queries.ts'
import { lifetimes, shareStatusWords, wholeLink } from './share-text.ts'

/** Links to this report: a new one, shown once, and those there are. */
export function ShareDialog({ report, onClose }: { report: ReportCore; onClose: () => void }) {
  const [days, setDays] = useState<number>(30)
  const make = useMutation({
    mutationFn: () => call(calls.quant.addShare, { body: { backtest_id: report.backtest_id, ttl_days: days } }),
    onSuccess: async ({ url }) => {
      void queries.invalidateQueries(sharesQuery)
      if (await copyText(wholeLink(url, location.origin))) toast.done('已复制分享链接')
    },
  })
  const link = make.data && wholeLink(make.data.url, location.origin)
  return (
    <Dialog title="分享这份报告" width={560} onClose={onClose}>
      <p className="text-2 size-13">
        拿到链接的人不用登录就能看这份报告，看不到你的账号、备注与其他策略。
        {isSynthetic(report.data_mode) && '这是演示数据的报告，页面上会写明。'}
      </p>
      <Row gap={8} wrap className={styles.shareMake}>
        <Segmented label="有效期" value={days} choices={lifetimes} onChange={setDays} />
        <Button look={['primary']} icon="share" disabled={make.isPending} onClick={() => make.mutate()} data-focus>
          {make.isPending ? '正在创建…' : '创建链接'}
        </Button>
      </Row>
      {make.error && <ErrorBlock error={make.error} onRetry={() => make.mutate()} />}
      {link && (
        <div className={styles.shareLink} role="status">
          <span className="field">
            <input readOnly value={link} aria-label="分享链接" onFocus={(event) => event.currentTarget.select()} />
          </span>
          <Button
            onClick={async () => ((await copyText(link)) ? toast.done('已复制分享链接') : toast.error('浏览器不允许复制，请手动选中复制'))}
          >
            复制
          </Button>
          <small>有效至 {dateTime(make.data?.expire_at ?? '')}。完整链接只在创建时显示一次。</small>
        </div>
      )}
      <Links id={report.backtest_id} />
    </Dialog>
  )
}

function Links({ id }: { id: string }) {
  const { data, error, refetch } = useQuery(sharesQuery)
  if (error) return <ErrorBlock error={error} still="仍可以创建新的链接。" onRetry={() => void refetch()} />
  const rows = data?.list_items.filter((one) => one.backtest_id === id) ?? []
  if (rows.length === 0) return null
  return (
    <Table
      dense
      className={styles.shareList}
      columns={[
        { label: '创建时间', cell: (row) => dateTime(row.created_at) },
        { label: '有效至', cell: (row) => dateTime(row.expire_at) },
        { label: '打开(次)', numeric: true, cell: (row) => row.views },
        { label: '状态', look: (row) => (row.status === 'active' ? '' : 'text-3'), cell: (row) => shareStatusWords[row.status] },
        {
          label: '操作',
          head: null,
          look: () => 'number',
          cell: (row) =>
            row.status === 'active' && (
              <Button look={['small', 'ghost']} onClick={() => void revoke(row)}>
                撤回
              </Button>
            ),
        },
      ]}
      rows={rows}
      rowKey={(row) => row.id}
    />
  )
}

async function revoke(row: ShareListItem): Promise<void> {
  const yes = await confirm({
    title: `撤回 ${dateTime(row.created_at)} 创建的链接？`,
    text: '撤回后打开它的人会看到「分享者已撤回」，不可恢复。',
    action: '撤回',
    icon: 'cross',
  })
  if (!yes) return
  try {
    await call(calls.quant.removeShare, { params: { token: row.id } })
    toast.done('已撤回')
  } catch (error) {
    toast.error(`撤回失败：${sentenceOf(error)}`)
  }
  await queries.invalidateQueries(sharesQuery)
}
