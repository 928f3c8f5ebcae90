// The state of the endpoint form. Problems are shown only after a field was left or the form was submitted.

import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { fieldErrors } from '../../../shared/api/errors.ts'
import { changedFields } from '../../../shared/form/changed-fields.ts'
import { type DataForm, useDataForm } from '../../../shared/form/use-data-form.ts'
import { createEndpoint, type Endpoint, endpointsKey, patchEndpoint } from '../api/webhooks.ts'
import { usePortal, useSpace } from '../space.tsx'
import { bodyOf, type Draft, draftOf, draftProblems, patchOf } from './draft.ts'

const fieldOf = (path: string) => (/^\w+/.exec(path)?.[0] ?? '') as keyof Draft

/** Errors of the service, shown until the field changes. An error of a list item is also shown below the list. */
function refusedOf(error: unknown, sent: Draft, draft: Draft): Record<string, string> {
  const found = Object.entries(fieldErrors(error))
  const changed = changedFields(sent, draft)
  return Object.fromEntries(
    found
      .filter(([path]) => !(fieldOf(path) in changed))
      .flatMap(([path, message]) => [
        [path, message],
        [fieldOf(path), message],
      ])
      .filter(([path]) => path !== 'headers'),
  )
}

function useSave(endpoint: Endpoint | undefined) {
  const space = useSpace()
  const client = useQueryClient()
  const save = async (before: Draft, draft: Draft): Promise<Endpoint> => {
    if (!endpoint) return createEndpoint(space, bodyOf(draft))
    const { headers } = bodyOf(draft)
    // A change deletes unreadable headers, so the entered headers are always sent.
    const patch = { ...patchOf(before, draft), ...(!endpoint.areSecretsReadable && { headers }) }
    return Object.keys(patch).length === 0 ? endpoint : patchEndpoint(space, { id: endpoint.id, patch })
  }
  return async (before: Draft, draft: Draft) => {
    const saved = await save(before, draft)
    await client.invalidateQueries({ queryKey: endpointsKey(space) })
    return saved
  }
}

export interface EndpointForm extends DataForm<Draft> {
  /** Called when the address field loses the focus. */
  checkUrl(): void
}

interface EndpointFormOptions {
  /** undefined: creates an endpoint */
  endpoint?: Endpoint
  onSaved(saved: Endpoint): unknown
  onClose(): void
}

export function useEndpointForm({ endpoint, onSaved, onClose }: EndpointFormOptions): EndpointForm {
  const { organization } = usePortal()
  const [checked, setChecked] = useState<'nothing' | 'url' | 'all'>('nothing')
  const [sent, setSent] = useState(() => draftOf(endpoint))
  const save = useSave(endpoint)
  const isShown = ([path]: [string, string]) => checked === 'all' || path === checked
  const form = useDataForm<Draft>({
    draft: `endpoint ${organization.slug} ${endpoint?.id ?? 'new'}`,
    initial: sent,
    secrets: ['headers'],
    validate: draftProblems,
    problemsOf: (error, draft) => ({
      ...refusedOf(error, sent, draft),
      ...Object.fromEntries(Object.entries(draftProblems(draft)).filter(isShown)),
    }),
    async save(draft, { before, forget }) {
      setSent(draft)
      const saved = await save(before, draft)
      forget()
      await onSaved(saved)
    },
    onClose,
  })
  return {
    ...form,
    checkUrl: () => setChecked(checked === 'nothing' && form.values.url !== '' ? 'url' : checked),
    submit: () => {
      setChecked('all')
      return form.submit()
    },
  }
}
