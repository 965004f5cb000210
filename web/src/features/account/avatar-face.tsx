import { useState } from 'react'
import { addressOf } from '../../api/http.ts'
import styles from './avatar-face.module.css'

/** What stands in an avatar's circle: the picture, else the first letter of the name. */
export function AvatarFace({ name, url }: { name: string; url: string | null | undefined }) {
  const [broken, setBroken] = useState<string | null>(null)
  if (!url || url === broken) return [...name][0]
  return <img className={styles.avatarFace} src={url.startsWith('/') ? addressOf(url) : url} alt="" onError={() => setBroken(url)} />
}
