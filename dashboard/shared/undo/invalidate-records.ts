import type { QueryClient } from '@tanstack/react-query'

/** Reads record data of pages again, after changes were undone. */
export function invalidateRecords(client: QueryClient, org: string): void {
  for (const kind of ['records', 'record-name', 'activities', 'history'])
    void client.invalidateQueries({ queryKey: [org, kind] })
}
