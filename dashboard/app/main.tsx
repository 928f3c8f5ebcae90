// Entry point of the dashboard: theme, cache and router.
import '../features/webhooks/api/portal-link.ts'
import './mantine-styles.ts'
import './styles.css'
import '../ui/base.css'
import '../ui/layout.css'
import '../ui/parts.css'
import '../ui/pointer.css'
import '../ui/text.css'
import { MantineProvider } from '@mantine/core'
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode, startTransition } from 'react'
import { createRoot } from 'react-dom/client'
import { queryClient } from '../shared/api/query-client.ts'
import { watchPress } from '../ui/after-press.ts'
import { watchFormKeys } from '../ui/form-keys.ts'
import { watchFocus } from '../ui/last-focus.ts'
import { later, Nothing } from '../ui/later.tsx'
import { watchLayers } from '../ui/layers.ts'
import { watchMenus } from '../ui/menu-keys.ts'
import { watchOpenTexts } from '../ui/open-text.ts'
import { watchOpening } from '../ui/opening.ts'
import { theme } from '../ui/theme.ts'
import { colorScheme } from './color-scheme.ts'
import { announceWaiting } from './rate-limit-notice.ts'
import { type AppRouter, openRouter } from './router.ts'
import { applyStyles } from './styles-ready.ts'

const Notifications = later(async () => (await import('./notifications.ts')).Notifications, Nothing)

// Styles that are added at run time need the nonce of the page: the content security policy refuses them otherwise.
const nonce = document.querySelector<HTMLMetaElement>('meta[property=csp-nonce]')?.nonce ?? ''

// The library that stops the page from scrolling under a dialog reads the nonce from here.
Object.assign(globalThis, { __webpack_nonce__: nonce })

watchFocus()
watchFormKeys()
watchOpenTexts()
watchLayers()
watchMenus()
watchPress()
announceWaiting(queryClient)

/**
 * Longest time that the shell is shown, in milliseconds. After it the page is rendered, with placeholders for missing
 * data.
 */
const SHELL_MS = 2000

const root = document.getElementById('root') as HTMLElement

const pageOf = (router: AppRouter) => (
  <StrictMode>
    <MantineProvider
      theme={theme}
      defaultColorScheme="auto"
      colorSchemeManager={colorScheme}
      getStyleNonce={() => nonce}
    >
      <QueryClientProvider client={queryClient}>
        <Notifications position="bottom-right" autoClose={5000} limit={3} />
        <RouterProvider router={router} />
      </QueryClientProvider>
    </MantineProvider>
  </StrictMode>
)

/** A transition renders in slices. In one task, rendering blocks input on a phone for a third of a second. */
const draw = (router: AppRouter) => startTransition(() => createRoot(root).render(pageOf(router)))

/** Ends the task: evaluating the modules already blocks input on a phone for a tenth of a second. */
const nextTask = () => new Promise((resolve) => setTimeout(resolve))

async function begin(): Promise<void> {
  await nextTask()
  const router = openRouter()
  watchOpening(() => router.latestLocation.href !== router.state.resolvedLocation?.href)
  if (root.hasChildNodes()) {
    await nextTask()
    const loaded = Promise.race([router.load(), new Promise((resolve) => setTimeout(resolve, SHELL_MS))])
    await Promise.all([applyStyles(), loaded])
    await nextTask()
  }
  draw(router)
}

// No top-level await: other files of the page import this file and would wait for it.
void begin()
