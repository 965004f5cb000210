import { calls } from '@convexa/contract/calls'
import { useEffect, useState } from 'react'
import { call } from '../../../api/client.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { FileDrop } from '../../../ui/form/file-drop.tsx'
import { ProgressRing } from '../../../ui/progress-ring.tsx'
import { toast } from '../../../ui/toast.tsx'
import { FormError } from '../form-error.tsx'
import { reloadUser } from '../own-user.ts'
import { type Crop, firstCrop, sideOf } from './crop.ts'
import { CropBox } from './crop-box.tsx'
import styles from './profile.module.css'

const most = 2 * 1024 * 1024
const endings = ['.jpg', '.jpeg', '.png', '.webp'] as const
const words = { kind: '仅支持 JPG、PNG、WEBP', size: '图片不能超过 2MB' }
/** Pixels of what is sent; the server keeps 256. */
const side = 512

interface Chosen {
  image: HTMLImageElement
  crop: Crop
}

/** The three calls of an upload. */
const steps = ['正在准备', '正在上传', '正在保存'] as const

/** A picture becomes the avatar: chosen, cut square, sent. */
export function AvatarDialog({ onClose }: { onClose: () => void }) {
  const [chosen, setChosen] = useState<Chosen | null>(null)
  const [unread, setUnread] = useState(false)
  const [done, setDone] = useState<number | null>(null)
  const [refused, setRefused] = useState<unknown>(null)
  const address = chosen?.image.src
  useEffect(() => (address ? () => URL.revokeObjectURL(address) : undefined), [address])

  const choose = async (file: File | null) => {
    if (!file) return
    const image = new Image()
    image.src = URL.createObjectURL(file)
    const readable = await image.decode().then(
      () => image.naturalWidth > 0,
      () => false,
    )
    setUnread(!readable)
    setRefused(null)
    if (readable) setChosen({ image, crop: firstCrop(sizeOf(image)) })
    else URL.revokeObjectURL(image.src)
  }
  const send = async () => {
    if (!chosen) return
    setRefused(null)
    setDone(0)
    try {
      const { upload_id } = await call(calls.file.avatarUpload, undefined)
      setDone(1)
      const body = new FormData()
      body.append('file', await cut(chosen), 'avatar.jpg')
      const upload = { params: { id: upload_id }, body }
      const { file_id } = await call(calls.file.upload, upload)
      setDone(2)
      await call(calls.file.setAvatar, { body: { file_id } })
      await reloadUser()
      toast.done('头像已更换')
      onClose()
    } catch (error) {
      setRefused(error)
      setDone(null)
    }
  }

  const sending = done !== null
  return (
    <Dialog
      title="更换头像"
      width={376}
      onClose={onClose}
      footer={
        chosen && (
          <>
            <Button disabled={sending} onClick={() => setChosen(null)}>
              重新选择
            </Button>
            <Button look={['primary']} disabled={sending} onClick={send}>
              {refused ? '重试' : '保存'}
            </Button>
          </>
        )
      }
    >
      <FormError error={refused} />
      {sending ? (
        <div className={styles.avatarSending}>
          <ProgressRing label="头像上传进度" share={(done + 1) / (steps.length + 1)} words={`${steps[done]}…`} />
        </div>
      ) : chosen ? (
        <CropBox
          address={chosen.image.src}
          picture={sizeOf(chosen.image)}
          crop={chosen.crop}
          onChange={(crop) => setChosen({ ...chosen, crop })}
        />
      ) : (
        <FileDrop
          label="头像图片"
          file={null}
          onChange={(file) => void choose(file)}
          endings={endings}
          most={most}
          words={words}
          wrong={unread ? words.kind : null}
        />
      )}
    </Dialog>
  )
}

const sizeOf = ({ naturalWidth, naturalHeight }: HTMLImageElement) => ({ width: naturalWidth, height: naturalHeight })

/** The square as a picture of its own: upright, without what a camera writes into a file. What was clear becomes white. */
function cut({ image, crop }: Chosen): Promise<Blob> {
  const canvas = document.createElement('canvas')
  canvas.width = side
  canvas.height = side
  const pen = canvas.getContext('2d')
  const wide = sideOf(sizeOf(image), crop)
  if (pen) {
    pen.fillStyle = '#fff'
    pen.fillRect(0, 0, side, side)
    pen.imageSmoothingQuality = 'high'
    pen.drawImage(image, crop.x - wide / 2, crop.y - wide / 2, wide, wide, 0, 0, side, side)
  }
  return new Promise((resolve, reject) =>
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error('the picture could not be written'))), 'image/jpeg', 0.92),
  )
}
