@echo off
rem Steward in a terminal, as resources/bin/steward does on Linux and macOS.
setlocal DisableDelayedExpansion
if "%~1"=="ask" goto terminal
if "%~1"=="-h" goto terminal
if "%~1"=="--help" goto terminal
if "%~1"=="--version" goto terminal
"%~dp0..\steward.exe" %*
exit /b %ERRORLEVEL%
:terminal
"%~dp0..\steward.exe" --no-sandbox --no-zygote --log-level=3 -- %*
exit /b %ERRORLEVEL%
