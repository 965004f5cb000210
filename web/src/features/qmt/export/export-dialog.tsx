import type { ConfigListItem } from '@convexa/contract/qmt'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { CallError } from '../../../api/messages.ts'
import { dateTime } from '../../../base/dates.ts'
import { Button } from '../../../ui/button.tsx'
import { Checkbox } from '../../../ui/controls.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { KeyValues } from '../../../ui/key-values.tsx'
import { Row, Stack } from '../../../ui/layout.tsx'
import { copyText, saveBlob } from '../../../ui/table/sheet.ts'
import { toast } from '../../../ui/toast.tsx'
import { VipHint } from '../../../ui/vip-hint.tsx'
import { Term } from '../../help/term.tsx'
import { useGuest } from '../guest.ts'
import { apiKeyQuery, qmtAccountsQuery, qmtChanged } from '../qmt-queries.ts'
import { type Exported, exported, refusalOf } from './export-config.ts'
import styles from './export-dialog.module.css'

/** A config and the client as an archive: asked for, looked at with its checksum, then saved. */
export function ExportDialog({ config, onClose }: { config: ConfigListItem; onClose: () => void }) {
  const [made, setMade] = useState<Exported | null>(null)
  if (made) return <MadeArchive made={made} onClose={onClose} />
  return <AskForArchive config={config} onMade={setMade} onClose={onClose} />
}

function AskForArchive({ config, onMade, onClose }: { config: ConfigListItem; onMade: (made: Exported) => void; onClose: () => void }) {
  const { data: accounts } = useQuery(qmtAccountsQuery)
  const account = accounts?.list_items.find(({ id }) => id === config.account_id)
  const { data: key } = useQuery(apiKeyQuery)
  const guest = useGuest()
  const [withKey, setWithKey] = useState(false)
  const [known, setKnown] = useState<Record<'unlooked' | 'unreported', boolean>>({ unlooked: false, unreported: false })
  const [busy, setBusy] = useState(false)
  const [refused, setRefused] = useState<{ title: string; text: string } | null>(null)
  const unlooked = config.confirmed_at === null
  const unreported = account?.report_status === 0
  const ready = accounts !== undefined && (!unlooked || known.unlooked) && (!unreported || known.unreported)
  const make = async () => {
    setBusy(true)
    setRefused(null)
    try {
      onMade(await exported(config.id, withKey))
      void qmtChanged()
    } catch (error) {
      // A login that is over has its own warning.
      if (!(error instanceof CallError && error.kind === 'login')) setRefused(refusalOf(error, withKey))
      if (withKey) void qmtChanged()
    } finally {
      setBusy(false)
    }
  }
  // The server makes the key in any case: closing before its answer would lose it.
  const leave = () => {
    if (!busy) onClose()
  }
  return (
    <Dialog
      title={`导出「${config.name}」`}
      width={520}
      onClose={leave}
      footer={
        <>
          <Button disabled={busy} onClick={leave}>
            取消
          </Button>
          <Button look={['primary']} disabled={!ready || busy} onClick={() => void make()}>
            {busy ? '正在生成…' : '生成文件'}
          </Button>
        </>
      }
    >
      <Stack gap={12} className={styles.exportForm}>
        <p>
          压缩包里是
          config.json（目标来源、资金、交易参数、账户标签）和在你电脑上运行的客户端，客户端缺省为演练，只记录不下单。再次导出请解压到原来的目录，保留其中的
          journal 文件。
        </p>
        <KeyValues
          rows={[
            ['账户', account ? `${account.alias} ${account.account_masked}` : null],
            ['来源', config.source.name],
            ['资金', `${config.capital} 万元`],
            [
              '演练',
              unlooked ? (
                <span key="unlooked" className="warn">
                  差异还没有确认
                </span>
              ) : (
                `差异已确认 ${dateTime(config.confirmed_at ?? '').slice(0, 16)}`
              ),
            ],
          ]}
        />
        {unlooked && (
          <Warning
            title="还没有核对并确认演练的差异"
            text="文件名会带「_未确认」。建议先做一次模拟演练，看清会买卖什么。"
            tick="我知道差异未确认，仍要导出"
            ticked={known.unlooked}
            onTick={(unlooked) => setKnown({ ...known, unlooked })}
          />
        )}
        {unreported && (
          <Warning
            title="账户还没有向券商报告"
            text={
              <>
                按监管要求，程序化交易须<Term k="reporting">先报告、后交易</Term>。没有报告的账户只能演练，不能真实委托。
              </>
            }
            tick="我已知晓"
            ticked={known.unreported}
            onTick={(unreported) => setKnown({ ...known, unreported })}
          />
        )}
        <Stack gap={4} className={styles.exportKey}>
          <Checkbox checked={withKey} onChange={setWithKey} disabled={guest}>
            把 API 密钥写进 config.json
          </Checkbox>
          <p className={withKey ? 'warn' : 'text-3'} role="status">
            {guest
              ? '体验账号不能生成密钥。'
              : withKey
                ? `会生成一个新密钥，旧密钥 10 分钟后失效${key?.old_until ? '，再上一个立即失效' : ''}。拿到这个文件的人都能读取你的目标、代你回报成交，请勿转发或上传。`
                : '不带密钥：解压后把密钥粘贴进 api_key.txt。'}
          </p>
        </Stack>
        {refused && (
          <div className="alert" role="alert">
            <Icon name="warn" />
            <div>
              <b>{refused.title}</b>
              <p>{refused.text}</p>
              <VipHint refusal={refused.title} />
            </div>
          </div>
        )}
      </Stack>
    </Dialog>
  )
}

function Warning({
  title,
  text,
  tick,
  ticked,
  onTick,
}: {
  title: string
  text: React.ReactNode
  tick: string
  ticked: boolean
  onTick: (ticked: boolean) => void
}) {
  return (
    <div className="alert warn">
      <Icon name="warn" />
      <div>
        <b>{title}</b>
        <p>{text}</p>
        <Checkbox checked={ticked} onChange={onTick}>
          {tick}
        </Checkbox>
      </div>
    </div>
  )
}

/** Contents of the archive before it is saved; its checksum can be compared on the computer it is moved to. */
function MadeArchive({ made, onClose }: { made: Exported; onClose: () => void }) {
  const { name, bytes, sha256, files, withKey } = made
  const [confirming, setConfirming] = useState(false)
  // The key exists only in this archive, so closing without saving needs a confirmation.
  const leave = () => {
    if (confirming || !withKey) onClose()
    else setConfirming(true)
  }
  const save = () => {
    saveBlob(name, new Blob([bytes], { type: 'application/zip' }))
    toast.done(`已下载 ${name}`)
    onClose()
  }
  const copy = async () => {
    if (await copyText(sha256)) toast.done('已复制校验值')
    else toast.error('浏览器不允许复制，请手动选中后复制。')
  }
  return (
    <Dialog
      title="文件已生成"
      width={520}
      onClose={leave}
      footer={
        <>
          <Button onClick={leave}>取消</Button>
          <Button look={['primary']} icon="download" data-focus onClick={save}>
            下载
          </Button>
        </>
      }
    >
      <Stack gap={12} className={styles.exportForm}>
        <KeyValues
          rows={[
            [
              '文件',
              <span className={styles.exportName} key="name">
                {name}
              </span>,
            ],
            ['大小', `${(bytes.byteLength / 1024).toFixed(1)} KB，${files.length} 个文件`],
            [
              'API 密钥',
              withKey ? (
                <span key="key" className="warn">
                  在 config.json 里，请勿转发
                </span>
              ) : (
                '不在文件里'
              ),
            ],
          ]}
        />
        {confirming && (
          <div className="alert warn" role="alert">
            <Icon name="warn" />
            <p>还没有下载。新密钥只在这个文件里，旧密钥 10 分钟后失效；再点一次「取消」即关闭。</p>
          </div>
        )}
        <Row gap={12} className={styles.exportSum}>
          <span className="text-3">SHA-256</span>
          <code className="mono">{sha256}</code>
          <Button look={['small']} onClick={() => void copy()}>
            复制
          </Button>
        </Row>
        <p className="text-3">
          在 Windows 上核对：<code className="mono">certutil -hashfile 文件名 SHA256</code>
        </p>
        <details className={styles.exportFiles}>
          <summary>压缩包里的文件</summary>
          <ul>
            {files.map(({ name: file, size }) => (
              <li key={file}>
                <span className="mono">{file}</span>
                <span className="text-3">{size.toLocaleString('en')} 字节</span>
              </li>
            ))}
          </ul>
        </details>
      </Stack>
    </Dialog>
  )
}
