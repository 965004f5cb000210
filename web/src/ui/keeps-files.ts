/** A chat app's own browser keeps no files: a picture is held by a finger there, a table is read on a computer. */
export const keepsFiles = (): boolean => !/MicroMessenger/i.test(navigator.userAgent)

export const noFilesWords = '微信里不能保存文件，请复制链接，在浏览器中打开后下载'
