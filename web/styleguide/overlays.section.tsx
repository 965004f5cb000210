import { useState } from 'react'
import { Button } from '../src/ui/button.tsx'
import { confirm } from '../src/ui/confirm.tsx'
import { Dialog, Drawer } from '../src/ui/dialog.tsx'
import { KeyValues } from '../src/ui/key-values.tsx'
import { Menu } from '../src/ui/menu.tsx'
import { Popover } from '../src/ui/popover.tsx'
import { DemoBadge } from '../src/ui/tag.tsx'
import { toast } from '../src/ui/toast.tsx'
import { Sample, Samples } from './sample.tsx'
import type { StyleguideSection } from './section-file.ts'

export const sections: readonly StyleguideSection[] = [{ key: 'overlays', title: '浮层', Component: Overlays }]

async function ask() {
  const yes = await confirm({
    title: '删除策略「双低 20 只」？',
    text: '删除后不可恢复。它的 12 次回测记录会保留，但不再关联策略。',
    action: '删除',
  })
  toast.info(yes ? '已删除（示例）' : '没有删除')
}

function Overlays() {
  const [dialog, setDialog] = useState(false)
  const [row, setRow] = useState<number | null>(null)
  return (
    <Samples>
      <Sample name="轻提示">
        <div className="sample-line">
          <Button onClick={() => toast.done('已保存「双低低溢价 10 只」', { label: '撤销', act: () => toast.info('已撤销') })}>完成</Button>
          <Button onClick={() => toast.info('概览刷新完成，名单差异 2 换 2')}>消息</Button>
          <Button onClick={() => toast.error('改名失败：名称已存在')}>失败</Button>
        </div>
      </Sample>
      <Sample name="菜单与浮框">
        <Menu
          button="导出"
          className="button"
          choices={[
            { label: '保存为 CSV', run: () => toast.info('已保存（示例）') },
            { label: '复制表格', run: () => toast.info('已复制（示例）') },
            { label: 'QMT 篮子文件', off: true },
          ]}
          end={[{ label: '删除', danger: true, run: ask }]}
        />
        <Popover button="口径" className="button">
          {() => '收盘买入，等权，不计成本。'}
        </Popover>
      </Sample>
      <Sample name="确认：写出对象名，焦点在取消">
        <Button look={['destructive']} icon="cross" onClick={ask}>
          删除策略
        </Button>
      </Sample>
      <Sample name="对话框与抽屉">
        <div className="sample-line">
          <Button onClick={() => setDialog(true)}>打开对话框</Button>
          <Button onClick={() => setRow(3)}>打开抽屉</Button>
        </div>
      </Sample>
      {dialog && (
        <Dialog
          title="保存为模板"
          onClose={() => setDialog(false)}
          footer={
            <>
              <Button onClick={() => setDialog(false)}>取消</Button>
              <Button look={['primary']} onClick={() => setDialog(false)}>
                保存
              </Button>
            </>
          }
        >
          只保存条件与打分，不保存区间与成本。
        </Dialog>
      )}
      {row !== null && (
        <Drawer
          title={`演示转债${row}`}
          note={`${900_000 + row}.DM · AA · 剩余 4.74 年`}
          tools={<DemoBadge />}
          steps={{
            place: `${row} / 5`,
            onPrevious: row > 1 ? () => setRow(row - 1) : null,
            onNext: row < 5 ? () => setRow(row + 1) : null,
          }}
          footer={
            <>
              <Button>加入黑名单</Button>
              <span className="grow" />
              <Button look={['primary']}>打开证券页</Button>
            </>
          }
          onClose={() => setRow(null)}
        >
          <KeyValues
            rows={[
              ['名次', `${row} / 198`],
              ['得分', (97.1 - row).toFixed(1)],
              ['现价(元)', row === 5 ? null : '121.621'],
              ['强赎状态', '未公告'],
              ['评级', 'AA，不低于 AA-'],
            ]}
          />
        </Drawer>
      )}
    </Samples>
  )
}
