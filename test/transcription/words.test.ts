// Runs: sqlite

import assert from "node:assert/strict";
import { test } from "node:test";
import { wordsOf } from "../../server/transcription/words.ts";

const said: Readonly<Record<string, string>> = {
  "hello world\n": "hello world",
  " The answer is 42, about 50%. f(x) < 3": "The answer is 42, about 50%. f(x) < 3",
  "می\u200cخواهم": "می\u200cخواهم",
  // whisper.cpp, and the captions that it and others write.
  "[00:00:00.000 --> 00:00:02.000]   Hello.\n[00:00:02.000 --> 00:00:04.000]   How are you?\n":
    "Hello. How are you?",
  "1\n00:00:00,000 --> 00:00:02,000\nHi all\n\n2\n00:00:02,000 --> 00:00:03,000\n42\n": "Hi all 42",
  "WEBVTT\n\n00:00.000 --> 00:02.000 align:start\nHey\n": "Hey",
  "[BLANK_AUDIO]": "",
  " (upbeat music)\n": "",
  "[ Silence ] *coughs* Good (laughs) morning [APPLAUSE].": "Good morning .",
  "♪♪ la la ♪": "la la",
  "ありがとう（拍手）【音楽】": "ありがとう",
  "<|nospeech|><unk> <s>one</s> ++NOISE++": "one",
  "[SPEAKER_00]: well": "well",
  " ... ": "",
  // Marks that programs print beside the words.
  "whisper_init_from_file_with_params: loading model\nmain: processing 'a.wav'\n yes": "yes",
  "INFO: cmn.c(133): CMN: 40.00\nyes": "yes",
  "[INFO] ready\n2026-01-02 03:04:05,678 loaded\nLOG (VoskAPI:ReadDataFiles():model.cc:213) x\nyes":
    "yes",
  "Transcribing:  50%|█████     | 1/2 [00:01<00:01]\nyes": "yes",
  "progress = 10%\rprogress = 90%\ryes\n": "yes",
  "Detected language: English\nyes": "yes",
  "\u001b[38;5;160myes\u001b[0m": "yes",
  "yes\0": "yes",
  "\u202eyes\u2028\u200b": "yes",
  '{"text": "yes"}': "yes",
  '{\n  "text" : "[BLANK_AUDIO]"\n}\n': "",
  '{"partial": "ye"}\n{"text": "yes"}\n': "yes",
};

test("marks that engines print beside the words are neither shown nor kept", () => {
  assert.deepEqual(Object.keys(said).map(wordsOf), Object.values(said));
});

test("a page, an error and bytes do not count as text", () => {
  for (const given of [
    '{"error": {"message": "model not found"}}',
    '{\n  "error": "cut off',
    "[1, 2, 3]",
    "<!DOCTYPE html><html><body>502 Bad Gateway</body></html>",
    "<html>",
    "RIFF\u0000\u0001\u0010\ufffd\ufffd\u0001",
    '{"text": {"a": 1}}',
  ]) {
    assert.equal(wordsOf(given), undefined, given);
  }
});
