// Sends a file and tells how far it is, which fetch cannot.
import { urlOf } from './client.ts'
import { ApiError, offline } from './errors.ts'
import { parseJson } from './json.ts'

export interface Sending {
  /** Hears how much is sent, from 0 to 1. */
  onProgress(share: number): void
  signal: AbortSignal
}

function bodyOf({ responseText }: XMLHttpRequest): Record<string, unknown> {
  try {
    return parseJson(responseText) as Record<string, unknown>
  } catch {
    return {}
  }
}

/** @throws ApiError; what `signal` says when it is aborted */
export function upload<Body>(
  path: string,
  file: Blob,
  { contentType, onProgress, signal }: Sending & { contentType: string },
): Promise<Body> {
  return new Promise((resolve, reject) => {
    const sent = new XMLHttpRequest()
    sent.upload.onprogress = ({ loaded, total }) => onProgress(total === 0 ? 0 : loaded / total)
    sent.onload = () => {
      const body = bodyOf(sent)
      if (sent.status >= 200 && sent.status < 300) resolve(body as Body)
      else reject(new ApiError(sent.status, body))
    }
    sent.onerror = () => reject(offline())
    sent.onabort = () => reject(signal.reason)
    signal.addEventListener('abort', () => sent.abort(), { once: true })
    sent.open('POST', urlOf(path))
    sent.setRequestHeader('content-type', contentType)
    sent.send(file)
  })
}
