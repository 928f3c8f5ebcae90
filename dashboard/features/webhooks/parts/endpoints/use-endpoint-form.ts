// The form of an endpoint while it is filled in: nothing is complained about before it was left or sent.
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { fieldErrors } from '../../../../shared/api/errors.ts'
import { type FormDraft, useDraft } from '../../../../shared/drafts/use-draft.ts'
import { useSubmit } from '../../../../shared/use-submit.ts'
import { createEndpoint, type Endpoint, endpointsKey, patchEndpoint } from '../../api/webhooks.ts'
import { usePortal, useSpace } from '../../space.tsx'
import { bodyOf, type Draft, draftOf, draftProblems, patchOf } from './draft.ts'

const fieldOf = (path: string) => (/^\w+/.exec(path)?.[0] ?? '') as keyof Draft

/** What the service refused, until the field is another. What is wrong with one of a list is shown below the list. */
function refusedOf(error: unknown, sent: Draft | undefined, draft: Draft): Record<string, string> {
  const found = Object.entries(fieldErrors(error))
  return Object.fromEntries(
    found
      .filter(([path]) => sent?.[fieldOf(path)] === draft[fieldOf(path)])
      .flatMap(([path, message]) => [
        [path, message],
        [fieldOf(path), message],
      ])
      .filter(([path]) => path !== 'headers'),
  )
}

function useSave(before: Draft, endpoint: Endpoint | undefined) {
  const space = useSpace()
  const client = useQueryClient()
  const save = async (draft: Draft): Promise<Endpoint> => {
    if (!endpoint) return createEndpoint(space, bodyOf(draft))
    const { headers } = bodyOf(draft)
    // Headers that could not be read are gone with the next change: those entered now take their place.
    const patch = { ...patchOf(before, draft), ...(!endpoint.areSecretsReadable && { headers }) }
    return Object.keys(patch).length === 0 ? endpoint : patchEndpoint(space, { id: endpoint.id, patch })
  }
  return async (draft: Draft) => {
    const saved = await save(draft)
    await client.invalidateQueries({ queryKey: endpointsKey(space) })
    return saved
  }
}

export interface EndpointForm {
  draft: Draft
  /** The draft as it is kept. */
  kept: FormDraft<Draft>
  change(part: Partial<Draft>): void
  /** By path. */
  errors: Record<string, string>
  /** The address was left. */
  checkUrl(): void
  /** @returns whether it was saved */
  submit(): Promise<boolean>
  isBusy: boolean
  /** What refused it last. */
  error: unknown
}

/** @param endpoint undefined: a new one */
export function useEndpointForm(
  endpoint: Endpoint | undefined,
  onSaved: (saved: Endpoint) => unknown,
): EndpointForm {
  const { organization } = usePortal()
  const kept = useDraft(`endpoint ${organization.slug} ${endpoint?.id ?? 'new'}`, () => draftOf(endpoint), {
    secrets: ['headers'],
  })
  const { value: draft, initial: before } = kept
  const [checked, setChecked] = useState<'nothing' | 'url' | 'all'>('nothing')
  const [sent, setSent] = useState<Draft>()
  const save = useSave(before, endpoint)
  const { submit, isBusy, error } = useSubmit(async () => {
    const saved = await save(draft)
    kept.forget()
    await onSaved(saved)
  })
  const problems = draftProblems(draft)
  const shown = Object.entries(problems).filter(([path]) => checked === 'all' || path === checked)
  return {
    draft,
    kept,
    change: kept.change,
    errors: { ...refusedOf(error, sent, draft), ...Object.fromEntries(shown) },
    checkUrl: () => setChecked(checked === 'nothing' && draft.url !== '' ? 'url' : checked),
    submit: async () => {
      setChecked('all')
      if (Object.keys(problems).length > 0) return false
      setSent(draft)
      return submit(undefined)
    },
    isBusy,
    error,
  }
}
