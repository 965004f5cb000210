import type { ReportCore } from '@convexa/contract/report'
import { type RefObject, useCallback, useEffect, useRef, useState } from 'react'
import { useSite } from '../../../api/site.ts'
import { Dialog } from '../../../ui/dialog.tsx'
import { FileButton } from '../../../ui/file-button.tsx'
import { keepsFiles } from '../../../ui/keeps-files.ts'
import { ErrorBlock } from '../../../ui/states.tsx'
import { fileNameOf } from '../files.ts'
import styles from './long-picture.module.css'
import { LongPicture } from './long-picture.tsx'

/** Draws the long sheet, keeps it as a picture, and shows it: to be saved, or held by a finger where nothing can be saved. */
export function LongPictureDialog({ report, benchName, onClose }: { report: ReportCore; benchName: string; onClose: () => void }) {
  const site = useSite()
  const stage = useRef<HTMLDivElement>(null)
  const [url, setUrl] = useState<string | null>(null)
  const [error, setError] = useState<unknown>(null)
  const [round, setRound] = useState(0)
  const made = useRef<string | null>(null)
  const draw = useCallback(async (left: AbortSignal) => {
    const { domToBlob, domToPng } = await import('modern-screenshot')
    const sheet = await chartDrawn(stage, left)
    const options = { scale: 2, type: 'image/png', font: false } as const
    // Where it is held by a finger to be kept, it has to be a data address: the address of a blob cannot be saved there.
    if (!keepsFiles()) {
      const data = await domToPng(sheet, options)
      if (!left.aborted) setUrl(data)
      return
    }
    const blob = await domToBlob(sheet, options)
    if (left.aborted) return
    made.current = URL.createObjectURL(blob)
    setUrl(made.current)
  }, [])
  // biome-ignore lint/correctness/useExhaustiveDependencies: another round draws again
  useEffect(() => {
    const left = new AbortController()
    setError(null)
    draw(left.signal).catch((failure: unknown) => !left.signal.aborted && setError(failure))
    return () => {
      left.abort()
      if (made.current) URL.revokeObjectURL(made.current)
      made.current = null
    }
  }, [draw, round])
  const file = `${fileNameOf(report, '长图')}.png`
  const save = () => {
    if (!url) return
    const link = document.createElement('a')
    link.href = url
    link.download = file
    link.click()
  }
  return (
    <Dialog
      title="生成长图"
      width={480}
      onClose={onClose}
      footer={
        <>
          <span className="text-3 size-12">带水印、口径与风险提示；手机上长按图片保存。</span>
          <span className="grow" />
          <FileButton look={['primary']} icon="download" disabled={!url} onClick={save}>
            保存图片
          </FileButton>
        </>
      }
    >
      <div className="long-preview">
        {error ? (
          <ErrorBlock error={error} still="报告本身不受影响，也可以打印或导出表格。" onRetry={() => setRound(round + 1)} />
        ) : url ? (
          <img src={url} alt={`${report.name} 的回测报告长图`} data-file={file} />
        ) : (
          <p role="status" className="text-2">
            <span className="spinner" /> 正在绘制…
          </p>
        )}
      </div>
      {!url && (
        <div className={styles.longStage} ref={stage} aria-hidden="true">
          <LongPicture report={report} benchName={benchName} site={site.name} />
        </div>
      )}
    </Dialog>
  )
}

/** The sheet, once its chart stands on it. */
async function chartDrawn(stage: RefObject<HTMLElement | null>, left: AbortSignal): Promise<HTMLElement> {
  for (let waited = 0; waited < 10_000 && !left.aborted; waited += 100) {
    const sheet = stage.current?.querySelector<HTMLElement>('.long-picture')
    if (sheet?.querySelector('canvas')) {
      // Its first frame.
      await new Promise((resolve) => setTimeout(resolve, 200))
      return sheet
    }
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  throw new Error('绘图部件加载失败，请刷新后重试')
}
