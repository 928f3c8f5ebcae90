// The uploads for one record or activity, and a function to start more.
import { useQueryClient } from '@tanstack/react-query'
import { useSyncExternalStore } from 'react'
import { useOrg } from '../use-organization.ts'
import type { Subject } from './api.ts'
import { isOf, startUploads, subscribe, type Upload, uploadsNow } from './uploads.ts'

export function useUploads(subject: Subject): readonly Upload[] {
  const org = useOrg()
  return useSyncExternalStore(subscribe, uploadsNow).filter(isOf(org, subject))
}

/** @returns a function that starts uploads */
export function useAttach(subject: Subject): (files: readonly File[]) => void {
  const org = useOrg()
  const client = useQueryClient()
  return (files) => startUploads(client, org, { subject, files })
}
