// Saves a file as a download of the browser.

export function download(blob: Blob, fileName: string): void {
  const address = URL.createObjectURL(blob)
  const link = document.createElement('a')
  link.href = address
  link.download = fileName
  link.click()
  // After this time the browser has begun to read the file.
  setTimeout(() => URL.revokeObjectURL(address), 60_000)
}
