// Sends a file with progress reports, which fetch does not have.
import { urlOf } from './client.ts'
import { ApiError, unanswered } from './errors.ts'
import { parseJson } from './json.ts'
import type { Address, Answer, RequestTargetOf } from './route-types.ts'

export interface Sending {
  /** Called with the sent share, from 0 to 1. */
  onProgress(share: number): void
  signal: AbortSignal
}

function bodyOf({ responseText }: XMLHttpRequest): Record<string, unknown> {
  try {
    return parseJson(responseText) as Record<string, unknown>
  } catch {
    // The response of a bucket is not JSON. The status is enough for the error.
    return {}
  }
}

interface Target {
  method: 'POST' | 'PUT'
  url: string
  headers: Readonly<Record<string, string>>
}

/** @throws ApiError; the reason of `signal` when it is aborted */
export function sendFile(
  { method, url, headers }: Target,
  file: Blob,
  { onProgress, signal }: Sending,
): Promise<unknown> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted()
    const sent = new XMLHttpRequest()
    sent.upload.onprogress = ({ loaded, total }) => onProgress(total === 0 ? 0 : loaded / total)
    sent.onload = () => {
      const body = bodyOf(sent)
      if (sent.status >= 200 && sent.status < 300) resolve(body)
      else reject(new ApiError(sent.status, body))
    }
    sent.onerror = () => reject(unanswered())
    sent.onabort = () => reject(signal.reason)
    signal.addEventListener('abort', () => sent.abort(), { once: true })
    sent.open(method, url)
    for (const [name, value] of Object.entries(headers)) sent.setRequestHeader(name, value)
    sent.send(file)
  })
}

type UploadAddress = Extract<Address, `POST ${string}` | `PUT ${string}`>

/** Uploads to the dashboard's own API. @throws as sendFile */
export const upload = async <A extends UploadAddress>(
  address: A,
  requestTarget: RequestTargetOf<A>,
  { file, contentType, ...sending }: Sending & { file: Blob; contentType: string },
): Promise<Answer<A>> => {
  const target: Target = {
    method: address.startsWith('PUT ') ? 'PUT' : 'POST',
    url: urlOf(address, requestTarget),
    headers: { 'content-type': contentType },
  }
  return (await sendFile(target, file, sending)) as Answer<A>
}
