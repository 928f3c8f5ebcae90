// Pages outside an organization: one short form in the center.
import { Box, Group, Stack } from '@mantine/core'
import { useDocumentTitle } from '@mantine/hooks'
import type { ReactNode } from 'react'

interface PlainFrameProps {
  title: string
  /** One sentence that says what the page is for. */
  lead?: ReactNode
  children: ReactNode
  /** Links to pages that the user may have wanted instead. */
  footer?: ReactNode
}

export function PlainFrame({ title, lead, children, footer }: PlainFrameProps) {
  useDocumentTitle(`${title} · Rapport`)
  return (
    <Stack component="main" className="sunken" mih="100dvh" px={16} py={24} justify="center" align="center">
      <Box w="100%" maw={380}>
        <img src="/favicon.svg" alt="" width={32} height={32} />
        <Box component="h1" className="title" mt={16} mb={4}>
          {title}
        </Box>
        {lead && (
          <Box component="p" className="muted" mb={20}>
            {lead}
          </Box>
        )}
        {children}
        {footer && (
          <Group mt={16} gap="8px 16px">
            {footer}
          </Group>
        )}
      </Box>
    </Stack>
  )
}
