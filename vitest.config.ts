import { defineConfig } from 'vitest/config'

// The suffix says what a test needs: `.test.ts` nothing, `.db.test.ts` a real file, `.proc.test.ts` real processes,
// `.dom.test.tsx` a document. Browser journeys (`.e2e.ts`) belong to Playwright.
export default defineConfig({
  test: {
    include: ['test/**/*.test.ts', 'test/**/*.test.tsx'],
    environment: 'node',
    pool: 'forks',
    testTimeout: 20_000,
    coverage: { provider: 'v8', include: ['src/**'], reporter: ['text-summary'] },
  },
})
